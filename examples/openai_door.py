"""The OpenAI door: any product that speaks it; sources and images also as data."""

from common import KEY, QUESTION, URL, show
from openai import OpenAI

client = OpenAI(base_url=f"{URL}/v1", api_key=KEY or "none")
print("models:", [model.id for model in client.models.list()])
messages = [{"role": "user", "content": QUESTION}]
finish = None
for chunk in client.chat.completions.create(model="tuwen", messages=messages, stream=True):
    print(chunk.choices[0].delta.content or "", end="", flush=True)
    finish = (chunk.model_extra or {}).get("tuwen") or finish
print("\n--- the same as data:")
show(finish)
