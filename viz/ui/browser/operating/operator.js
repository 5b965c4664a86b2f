// draws
