"""Map of the tests of viz/commands/line/drawn: by whole commands.

figure: commands/test_figure_command.py
film: commands/test_film_command.py
fool: commands/test_fool_command.py
visualise: commands/test_visualise.py
"""
