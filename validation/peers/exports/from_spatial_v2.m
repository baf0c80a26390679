function from_spatial_v2(model, states, theirs)
% What spatial_v2 answers about states, as lines that `./articulate check` reads.
%
%   from_spatial_v2(model, 'states.jsonl', 'theirs.jsonl')
%
% MODEL is a structure as spatial_v2 has it, on a fixed base, its bodies in the order of the states. mcI(m, c, I) makes the
% inertia of a body of the tensor about its centre of mass; URDF's has to be turned into the link's axes before.
% jsondecode and jsonencode are in MATLAB and in Octave from version 7 on.
in = fopen(states);
out = fopen(theirs, 'w');
line = fgetl(in);
while ischar(line)
  state = jsondecode(line);
  q = state.q(:);
  qd = state.qd(:);
  qdd = state.qdd(:);
  % [conventions]
  % The gravity that acts; without the field it is (0, 0, -9.81).
  if isfield(state, 'gravity'), model.gravity = state.gravity(:)'; end
  [H, bias] = HandC(model, q, qd);  % the bias contains gravity
  % [conventions]
  answers.inverse_dynamics = ID(model, q, qd, qdd)';
  answers.bias = bias';
  answers.mass_matrix = H;
  fprintf(out, '{"state": %s, "answers": %s}\n', line, jsonencode(answers));
  line = fgetl(in);
end
fclose(in);
fclose(out);
end
