% Read a certified case in double, in Octave 7 or MATLAB R2016b and newer.
%
%   puma = articulate_case('puma560.json');
%   puma.state.q, puma.machine.links(2).mass, puma.answers.mass_matrix(1, 6)
%
% Lists of numbers are columns, answers matrices, rounded to the nearest double. By the same names puma.digits has how many
% decimal digits of each, relative to the largest of its quantity and unit, double can attain, puma.units the units,
% puma.exact_zero whether it is zero nearby, too, and puma.radii how far the right number is at most from the fifty digits in
% the file.
function one = articulate_case(path)
  file = jsondecode(fileread(path));
  if ~isfield(file, 'format') || ~strcmp(file.format, 'articulate reference case 1')
    error('%s: the format is not "articulate reference case 1"', path);
  end
  [~, name] = fileparts(path);
  one = struct('name', name, 'machine', exact(file.machine), 'state', exact(file.state));
  for name = fieldnames(file.answers)'
    answer = file.answers.(name{1});
    count = numel(answer.value);
    one.answers.(name{1}) = in_rows(answer.value, @from_decimal);
    one.radii.(name{1}) = in_rows(answer.radius, @from_decimal);
    one.units.(name{1}) = in_rows(answer.unit, @(row) row);
    one.digits.(name{1}) = reshape(answer.double_digits, count, []);
    one.exact_zero.(name{1}) = reshape(answer.exact_zero, count, []);
  end
end

function x = in_rows(rows, convert)
  rows = cellfun(@(row) convert(row(:)'), rows(:), 'UniformOutput', false);
  x = vertcat(rows{:});
end

% str2double alone would take 1,5 for 15.
function x = from_decimal(texts)
  x = str2double(texts);
  if any(cellfun(@isempty, regexp(texts, '^(0|-?[1-9](\.[0-9]+)?e-?[0-9]+)$', 'once'))) || ~all(isfinite(x))
    error('a row of "%s" holds what is no finite number', strjoin(texts, ' '));
  end
end

% Inputs stand in decimal and in hexadecimal: the hexadecimal form is exact in every language.
function x = exact(x)
  if isstruct(x) && isfield(x, 'hexadecimal')
    texts = cellstr(x.hexadecimal);
    if numel(texts) ~= numel(x.decimal)
      error('a list has %d hexadecimal numbers and %d decimal ones', numel(texts), numel(x.decimal));
    end
    x = cellfun(@from_hexadecimal, texts);
  elseif isstruct(x)
    for name = fieldnames(x)'
      values = cellfun(@exact, {x.(name{1})}, 'UniformOutput', false);
      [x.(name{1})] = values{:};
    end
  end
end

% -0x1.8p-3: thirteen digits behind the point at most, so that whole numbers hold them.
function x = from_hexadecimal(text)
  if isempty(regexp(text, '^-?0x[01](\.[0-9a-f]{1,13})?p[+-][0-9]{1,4}$', 'once'))
    error('"%s" is no number such as 0x1.8p-3', text);
  end
  part = strsplit(text(find(text == 'x') + 1:end), {'.', 'p'});
  digits = [part{1:end - 1}];
  x = (1 - 2 * (text(1) == '-')) * hex2dec(digits) * 2 ^ (str2double(part{end}) - 4 * (numel(digits) - 1));
end
