"""What the door says to requests that it does not let in, in English and Chinese."""

# key: (English, Chinese); {braces} are filled in where it is refused.
DOOR_WORDS: dict[str, tuple[str, str]] = {
    "query": (
        "This address has more than the {most} characters that are read; start from a shorter link.",
        "该网址超过可读取的 {most} 个字符；请从较短的链接开始。",
    ),
    "path": (
        "The path of this address has more than {most} characters, as no page's has; open the page again.",
        "该网址的路径超过 {most} 个字符，没有页面的路径这么长；请重新打开页面。",
    ),
    "head": (
        "The headers of this request have more than the {most} bytes that are read; delete its cookies.",
        "请求头超过可读取的 {most} 字节；请删除该主机的 Cookie。",
    ),
    "nowhere": ("There is nothing at this address; open the page again.", "该网址没有内容；请重新打开页面。"),
    "gone": ("This visit has ended; open the page again.", "本次访问已结束；请重新打开页面。"),
    "bodiless": (
        "This address takes no file; upload on the page.",
        "该网址不接收文件；请在页面上传。",
    ),
    "body": (
        "At most {most} MB can be sent to this address; send less.",
        "向该网址最多可发送 {most} MB；请减小内容。",
    ),
    "picture": (
        "This picture has more than the {most} MB that are read; make it smaller.",
        "图片超过可读取的 {most} MB；请缩小图片。",
    ),
    "weights": (
        "This file has more than the {most} MB that are read; choose a smaller one.",
        "文件超过可读取的 {most} MB；请选择较小的文件。",
    ),
    "form": (
        "This upload does not begin as a file does; choose the file again.",
        "上传的内容不是以文件开头；请重新选择文件。",
    ),
    "kept": (
        "This visit holds as many files as one visit may; remove one, then upload again.",
        "本次访问的文件已达上限；请删除一个后再上传。",
    ),
    "full": (
        "Visitors' files fill the memory that this server has for them; try again in {seconds} seconds.",
        "服务器留给访客文件的内存已满；请在 {seconds} 秒后重试。",
    ),
    "uploads": (
        "Too many uploads are under way; try again in {seconds} seconds.",
        "正在进行的上传过多；请在 {seconds} 秒后重试。",
    ),
    "slow": (
        "This upload came too slowly or stopped; upload again over a better connection.",
        "上传过慢或已中断；请在网络较好时重新上传。",
    ),
    "often": (
        "More was asked for than one visitor gets at a time; try again in {seconds} seconds.",
        "请求过于频繁；请在 {seconds} 秒后重试。",
    ),
    "crowded": (
        "This server has as many visitors as it can hold; try again in {seconds} seconds.",
        "服务器的访客已满；请在 {seconds} 秒后重试。",
    ),
}
