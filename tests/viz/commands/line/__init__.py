"""Map of the tests of viz/commands/line: by whole commands, as somebody types them.

capture, layers, one_run, status, subject: commands/test_command_line.py, commands/test_command_refusals.py
diverge: commands/test_diverge.py
exemplars: commands/test_exemplars.py
graph: commands/test_graph.py
lens: commands/test_lens.py
opening: commands/opening/test_opened_file.py
script: commands/test_script.py
serve: commands/test_serve.py
sweep: commands/test_sweep_command.py
"""
