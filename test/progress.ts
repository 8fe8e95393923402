// A reporter for the watchdog of watched-run.ts: one JSON line per test that begins or ends.
interface Happening {
  type: string
  data: { name?: string; file?: string }
}

export default async function* progress(source: AsyncIterable<Happening>): AsyncIterable<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:dequeue' && type !== 'test:complete') continue
    yield `${JSON.stringify({ begins: type === 'test:dequeue', name: data.name, file: data.file })}\n`
  }
}
