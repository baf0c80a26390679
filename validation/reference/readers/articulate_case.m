% Read a certified case in double, in Octave 7 or MATLAB R2016b and newer.
%
%   puma = articulate_case('puma560.json');
%   puma.state.q, puma.machine.links(2).mass, puma.answers.mass_matrix(1, 6)
%
% Lists of numbers are columns, answers matrices, rounded to the nearest double. puma.digits has how many decimal digits of
% each, relative to the largest of its quantity and unit, double can attain.
function one = articulate_case(path)
  file = jsondecode(fileread(path));
  if ~strcmp(file.format, 'articulate reference case 1')
    error('%s: the format is "%s", not "articulate reference case 1"', path, file.format);
  end
  [~, name] = fileparts(path);
  one = struct('name', name, 'machine', exact(file.machine), 'state', exact(file.state));
  for name = fieldnames(file.answers)'
    answer = file.answers.(name{1});
    rows = cellfun(@(row) str2double(row(:)'), answer.value(:), 'UniformOutput', false);
    one.answers.(name{1}) = vertcat(rows{:});
    one.digits.(name{1}) = reshape(answer.double_digits, numel(rows), []);
  end
end

% Inputs stand in decimal and in hexadecimal: the hexadecimal form is exact in every language.
function x = exact(x)
  if isstruct(x) && isfield(x, 'hexadecimal')
    x = cellfun(@from_hexadecimal, cellstr(x.hexadecimal));
  elseif isstruct(x)
    for name = fieldnames(x)'
      values = cellfun(@exact, {x.(name{1})}, 'UniformOutput', false);
      [x.(name{1})] = values{:};
    end
  end
end

% -0x1.8p-3: thirteen digits behind the point at most, so that whole numbers hold them.
function x = from_hexadecimal(text)
  part = strsplit(text(find(text == 'x') + 1:end), {'.', 'p'});
  digits = [part{1:end - 1}];
  x = (1 - 2 * (text(1) == '-')) * hex2dec(digits) * 2 ^ (str2double(part{end}) - 4 * (numel(digits) - 1));
end
