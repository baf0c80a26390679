% An engine in Octave 7 or MATLAB: put your library's calls into load_model and answer, and run
%
%   ./articulate check --engine 'octave-cli --quiet template.m' --model ur5
%
% Octave says what a list of one number is only by its size: give vectors as cells where a joint is alone.
1;
function model = load_model (message)
  model.joints = numel (message.joints);   % yours reads message.text, as message.format says
end
function answers = answer (model, state, quantities)
  answers = struct ();
  for k = 1:numel (quantities)
    switch quantities{k}
      case 'kinetic_energy'
        answers.kinetic_energy = struct ('cannot', 'load_model of this template reads no masses');
    end
  end
end

while true
  line = input ('', 's');   % fgetl of Octave waits for the line after it
  message = jsondecode (line);
  reply = struct ('message', message.message);
  switch message.message
    case 'start'
      reply.name = 'template'; reply.version = '1'; reply.formats = {'urdf'}; reply.quantities = {'kinetic_energy'};
    case 'model'
      model = load_model (message);
    case 'state'
      reply.message = 'answer'; reply.number = message.number;
      reply.answers = answer (model, message.state, message.quantities);
    otherwise
      break
  end
  puts ([jsonencode(reply) "\n"]); fflush (stdout);
end
