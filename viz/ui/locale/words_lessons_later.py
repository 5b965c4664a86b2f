"""The text of lessons 2 to 4, in English and Chinese; ``docs/hooks.md`` is the longer version."""

LATER_LESSON_WORDS: dict[str, tuple[str, str]] = {
    "course_title_2": ("What goes in, what comes out, what can be changed", "进去什么，出来什么，能改什么"),
    "course_text_2": (
        (
            "ResNet-50 with untrained weights and its layer `layer1.1.conv2`: shapes, gradients, and which "
            "of it a hook can change. A forward hook runs after the layer: the output can still be changed, "
            "the input has been read already."
        ),
        (
            "权重未经训练的 ResNet-50，以及其中的 `layer1.1.conv2`：形状、梯度，以及钩子能改变其中的什么。前"
            "向钩子在该层之后运行：输出还能改，输入早已读过了。"
        ),
    ),
    "course_part_shapes": ("Looking", "查看"),
    "course_part_shapes_text": (
        "Two pictures. The inputs arrive as a tuple, also when there is one; the output is one tensor.",
        "两张图。输入总是元组，只有一个也一样；输出是一个张量。",
    ),
    "course_part_gradients": ("Gradients", "梯度"),
    "course_part_gradients_text": (
        "A full backward hook is given two tuples: the gradients at the inputs, and at the output.",
        "反向钩子拿到两个元组：输入处的梯度和输出处的梯度。",
    ),
    "course_part_changes": ("Changing", "修改"),
    "course_part_changes_text": (
        "How far the scores move, for pictures of 64 × 64.",
        "分数移动了多少（64 × 64 的图）。",
    ),
    "course_try_2": (
        "Halve the side of the pictures and predict the shapes first. Which axis does not change, and why?",
        "把图片边长减半，先预测形状。哪条轴不变，为什么？",
    ),
    "course_traps_2": (
        (
            "`len(output)` is 2 because there are two pictures, not two outputs. Whoever overwrites "
            "`conv1`'s input in a forward hook is too late for `conv1`, but not for the shortcut that reads "
            "the same memory at the end of the block."
        ),
        (
            "`len(output)` 是 2，因为有两张图，而不是有两个输出。在前向钩子里覆盖 `conv1` 的输入，对 `conv1` "
            "太晚，对残差块末尾读取同一块内存的捷径却不晚。"
        ),
    ),
    "course_line_inputs_tuple": ("inputs in the tuple", "元组里的输入个数"),
    "course_line_input_shape": ("the input", "输入"),
    "course_line_output_shape": ("the output", "输出"),
    "course_line_result_shape": ("the scores", "分数"),
    "course_line_shapes_by_capture": ("the output, captured", "输出，用捕获"),
    "course_line_gradient_in_shape": ("gradient at the input", "输入处的梯度"),
    "course_line_gradient_out_shape": ("gradient at the output", "输出处的梯度"),
    "course_line_output_doubled": (
        "output doubled by a forward hook: the scores move by",
        "前向钩子把输出加倍：分数移动",
    ),
    "course_line_edit_equals_hook": ("largest difference from the same by an edit", "与编辑所得结果的最大差"),
    "course_line_input_too_late": (
        "input overwritten in a forward hook: the scores move by",
        "在前向钩子里覆盖输入：分数移动",
    ),
    "course_line_input_before": (
        "input replaced in a pre-hook: the scores move by",
        "在前置钩子里换掉输入：分数移动",
    ),
    "course_line_shortcut": (
        "input of `conv1` overwritten in a forward hook: the scores move by",
        "在前向钩子里覆盖 `conv1` 的输入：分数移动",
    ),
    "course_title_3": ("Seeing a gradient", "看见梯度"),
    "course_text_3": (
        (
            "x = [2, 2, 2, 2], y = x², z is the mean of y. A hook on the tensor y sees a gradient that y "
            "itself does not keep; a hook on x changes it. Then a convolution that can be checked by head."
        ),
        (
            "x = [2, 2, 2, 2]，y = x²，z 是 y 的平均值。挂在张量 y 上的钩子能看到 y 自己不保存的梯度；挂在 x "
            "上的钩子能改变梯度。然后是一个可以心算的卷积。"
        ),
    ),
    "course_part_watched": ("Watching", "查看梯度"),
    "course_part_watched_text": (
        (
            "Each of n values has an n-th of the mean: dz/dy = 1/n. Autograd stores gradients for leaves "
            "only, and y is none."
        ),
        "n 个值各占平均值的 n 分之一：dz/dy = 1/n。自动求导只为叶子张量保存梯度，而 y 不是叶子。",
    ),
    "course_part_doubled": ("Changing", "改变梯度"),
    "course_part_doubled_text": (
        "dz/dx = 2x/n. A hook on x returns a multiple of what it is given.",
        "dz/dx = 2x/n。x 上的钩子返回所给梯度的若干倍。",
    ),
    "course_part_nines": ("Nine and eighteen", "九和十八"),
    "course_part_nines_text": (
        (
            "A picture of ones, (1, 1, 4, 4), a convolution with a kernel of ones and one of twos, and a 2 × "
            "2 pooling."
        ),
        "全是 1 的图 (1, 1, 4, 4)，一个全 1、一个全 2 的卷积核，以及 2 × 2 的池化。",
    ),
    "course_try_3": (
        (
            "Predict the maps for a kernel of 2 × 2. Which factor makes the hook hide x's gradient from "
            "everybody behind it? In the view of gradients, cut the gradient off at a ReLU (Edit): what "
            "becomes of the layers in front of it?"
        ),
        (
            "预测 2 × 2 卷积核的特征图。钩子乘以多少，会让后面谁也看不到 x 的梯度？"
            "在“梯度”视图中用“编辑”截断某个 ReLU 处的梯度：它前面各层的梯度会怎样？"
        ),
    ),
    "course_traps_3": (
        (
            "Gradients add up: two backward passes without any hook also give 2. A list that a hook fills "
            "with gradients begins with the last layer: do not match it by position with a list of outputs."
        ),
        (
            "梯度会累加：不挂钩子、反向传播两次，也得到 2。钩子填入梯度的列表从最后一层开始：不要按位置和输出"
            "的列表配对。"
        ),
    ),
    "course_line_hook_on_y": ("what the hook on y sees", "y 上的钩子看到的"),
    "course_line_y_grad": ("`y.grad` afterwards", "之后的 `y.grad`"),
    "course_line_y_by_capture": ("a capture of the layer y", "捕获 y 层"),
    "course_line_x_gradient": ("x's gradient", "x 的梯度"),
    "course_line_x_by_hook": ("changed by a hook on x", "x 上的钩子改变之后"),
    "course_line_x_by_edit": ("changed by an edit", "用编辑改变之后"),
    "course_line_two_passes": (
        "[2, 2, 2, 2] after two passes without a hook",
        "[2, 2, 2, 2]，不挂钩子反向传播两次",
    ),
    "course_line_maps_shape": ("the maps", "特征图"),
    "course_line_map_of_ones": ("the kernel of ones", "全 1 的卷积核"),
    "course_line_map_of_twos": ("the kernel of twos", "全 2 的卷积核"),
    "course_line_pooled_maps": ("after the pooling", "池化之后"),
    "course_title_4": ("Changing a running net", "改变运行中的网络"),
    "course_text_4": (
        (
            "c = a · b: a hook on c changes the gradient on its way to a and b. Then a small net with a "
            "convolution, a pooling and a linear layer, in which a pre-hook, a forward hook and a backward "
            "hook each change something else."
        ),
        (
            "c = a · b：挂在 c 上的钩子在梯度传向 a 和 b 的途中改变它。然后是一个由卷积、池化和线性层组成的小"
            "网络，前置钩子、前向钩子和反向钩子各改变不同的东西。"
        ),
    ),
    "course_part_product": ("A gradient changed on its way", "途中改变的梯度"),
    "course_part_product_text": (
        (
            "The gradients of a, b and c. Without a hook they are b, a and 1; all three grow by the same "
            "factor when c's does."
        ),
        "a、b、c 的梯度。不挂钩子时是 b、a、1；c 的梯度变成几倍，三者就都变成几倍。",
    ),
    "course_part_in_place": ("Why not in place", "为什么不能原地修改"),
    "course_part_in_place_text": (
        (
            "c = a + b: both sides get the same tensor as their gradient. The gradients of a, of b, and the "
            "tensor that was given to `backward`."
        ),
        "c = a + b：两边拿到的梯度是同一个张量。依次是 a 的梯度、b 的梯度、传给 `backward` 的张量。",
    ),
    "course_part_pooled": ("Activations of a pooling layer", "池化层的激活"),
    "course_part_pooled_text": ("For a picture (1, 3, 10, 10).", "输入图 (1, 3, 10, 10)。"),
    "course_part_kinds": ("Three kinds of hook in a running net", "运行中的三种钩子"),
    "course_part_kinds_text": (
        (
            "On the pooling: a pre-hook triples its input, a forward hook adds 1 to its output, a backward "
            "hook multiplies the gradient by 5."
        ),
        "都挂在池化上：前置钩子把输入变成三倍，前向钩子给输出加 1，反向钩子把梯度乘以 5。",
    ),
    "course_try_4": (
        (
            "Let the hook add −1: what is left of the three gradients? Which of the three kinds of hook can "
            "change what the net answers?"
        ),
        "让钩子加 −1：三个梯度还剩什么？三种钩子中哪些能改变网络的答案？",
    ),
    "course_traps_4": (
        (
            "A hook that writes into its gradient writes into memory that others share: return a new tensor, "
            "always. A full backward hook returns a tuple, also for one input. A hook that changes something "
            "goes on changing it in every later pass."
        ),
        (
            "往梯度里直接写的钩子，写的是别处也在用的内存：永远返回一个新张量。反向钩子要返回元组，只有一个输"
            "入也一样。会改东西的钩子，以后每次运行都照样改。"
        ),
    ),
    "course_line_product_plain": ("gradients of a, b, c without a hook", "a、b、c 的梯度，不挂钩子"),
    "course_line_product_hook": ("with the hook on c", "在 c 上挂钩子"),
    "course_line_product_edit": ("the same by an edit", "用编辑做同样的事"),
    "course_line_sum_plain": ("without a hook", "不挂钩子"),
    "course_line_sum_hook": ("a hook on a returns its gradient + 2", "a 上的钩子返回梯度 + 2"),
    "course_line_sum_in_place": ("a hook on a adds 100 in place", "a 上的钩子原地加 100"),
    "course_line_pooled_shape": ("the pooling's output", "池化的输出"),
    "course_line_kind_pre": ("result with the pre-hook", "前置钩子下的结果"),
    "course_line_kind_forward": ("result with the forward hook", "前向钩子下的结果"),
    "course_line_kind_backward": (
        "result with the backward hook: as without it",
        "反向钩子下的结果：与不挂时相同",
    ),
    "course_line_kind_gradient": (
        "how many times larger the picture's gradient is",
        "图片的梯度是原来的几倍",
    ),
    "course_line_kind_moves": ("how far the pre-hook moves the result", "前置钩子使结果移动"),
}
