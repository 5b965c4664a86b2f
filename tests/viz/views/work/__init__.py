"""Tests of viz/views/work, by the tasks that it answers.

all_layers: engine/test_engine_edits.py, views/test_live.py
explain: views/classes/test_explain.py
folder: views/folder/test_tasks.py
graph: views/graph/test_graph.py
hook_tasks: views/test_hook_tasks.py
live: views/test_live.py
memory_pictures: views/test_memory_pictures.py
model_range: views/test_model_range.py
names: views/classes/test_names.py
optimised: views/optimised/test_optimise.py
removal: engine/test_engine_edits.py
whole_model: engine/test_engine.py, passes/test_training.py
"""
