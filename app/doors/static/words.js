// The page's words, Chinese and English.
export const WORDS = {
  zh: {
    language: "English", key: "访问密钥", collections: "集合", documents: "文档",
    drop: "拖入或选择文件", into: "存入集合", send: "提问", stop: "停止", fresh: "新对话",
    ask: "就文档提问…（Enter 发送，Shift+Enter 换行）",
    welcome: "选择一个集合，然后提问。答案附页码引用，点引用可看原页与位置。",
    sources: "来源", trace: "检索过程", queries: "检索式", hit: "片段", legs: "各路名次",
    score: "得分", dropped: "未采用", kept: "采用", times: "耗时（毫秒）", rounds: "轮次",
    page: "第 {n} 页", noPicture: "此页没有图片（非 PDF，或原文件已不在）。",
    failed: "出错了：", remove: "删除", sure: "删除《{n}》？", missing: "原图缺失",
    upload: { ready: "已入库", partial: "部分入库", failed: "失败", unchanged: "未变化", duplicate: "已有相同内容" },
    stage: { parse: "解析", structure: "分段", describe: "描述图片", embed: "编码", commit: "写入", done: "完成" },
    verdict: { supported: "引用已核对", partly: "部分核对", unsupported: "未能核对", abstained: "未找到依据" },
    thinking: { analysed: "理解问题…", retrieved: "检索…", reflected: "判断依据…", figure: "挑选图表…" },
  },
  en: {
    language: "中文", key: "API key", collections: "Collections", documents: "Documents",
    drop: "Drop or choose files", into: "Into collection", send: "Ask", stop: "Stop", fresh: "New chat",
    ask: "Ask about the documents… (Enter sends, Shift+Enter breaks the line)",
    welcome: "Choose a collection and ask. Answers cite pages; click a citation to see the page and the place.",
    sources: "Sources", trace: "How it was found", queries: "Queries", hit: "Passage", legs: "Rank by leg",
    score: "Score", dropped: "Left out", kept: "kept", times: "Milliseconds", rounds: "Rounds",
    page: "p. {n}", noPicture: "There is no picture of this page (no PDF, or its file is gone).",
    failed: "Something went wrong: ", remove: "Delete", sure: "Delete {n}?", missing: "picture not available",
    upload: { ready: "ingested", partial: "ingested in part", failed: "failed", unchanged: "unchanged", duplicate: "same content exists" },
    stage: { parse: "reading", structure: "sectioning", describe: "describing pictures", embed: "encoding", commit: "writing", done: "done" },
    verdict: { supported: "citations checked", partly: "partly checked", unsupported: "not confirmed", abstained: "nothing found" },
    thinking: { analysed: "Understanding…", retrieved: "Searching…", reflected: "Weighing the evidence…", figure: "Choosing figures…" },
  },
};

export function detect() {
  return (navigator.language || "en").toLowerCase().startsWith("zh") ? "zh" : "en";
}
