% Every input and every answer that the reader finds in a file, a line each.
function print_case(path)
  one = articulate_case(path);
  for key = {'q', 'qd', 'qdd', 'tau'}
    print_line(key{1}, one.state.(key{1}));
  end
  for link = one.machine.links(:)'
    print_line('mass', link.mass);
  end
  for name = fieldnames(one.answers)'
    print_rows(name{1}, one.answers.(name{1}));
    print_rows([name{1}, ' digits'], one.digits.(name{1}));
    print_rows([name{1}, ' radii'], one.radii.(name{1}));
    print_rows([name{1}, ' exact_zero'], one.exact_zero.(name{1}));
    units = one.units.(name{1});
    for i = 1:size(units, 1)
      fprintf('%s units%s\n', name{1}, sprintf('|%s', units{i, :}));
    end
  end
end

function print_rows(name, rows)
  for i = 1:size(rows, 1)
    print_line(name, rows(i, :));
  end
end

function print_line(name, numbers)
  fprintf('%s%s\n', name, sprintf(' %.17g', numbers));
end
