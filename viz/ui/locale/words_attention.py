"""What the page says about where a token looks, in English and Chinese."""

ATTENTION_BROWSER_WORDS: dict[str, tuple[str, str]] = {
    "attention_ask": ("Where does a patch look?", "每个图块在看哪里？"),
    "attention_patch": (
        "The framed patch (row {row}, column {column}) looks where it is bright. Click another one.",
        "框中图块（第 {row} 行、第 {column} 列）关注明亮之处。可点击其他图块。",
    ),
    "attention_token": (
        "Token {token}, which stands before the patches, looks where it is bright. Click a patch.",
        "位于图块之前的第 {token} 个词元关注明亮之处。可点击任一图块。",
    ),
}
