// A reporter for watched-run.ts: one JSON line per test, suite or file that begins or ends.
interface Happening {
  type: string
  data: {
    name?: string
    file?: string
    /** The file that the runner was given; missing for the file itself. */
    entryFile?: string
    details?: { duration_ms?: number }
  }
}

export default async function* progress(source: AsyncIterable<Happening>): AsyncIterable<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:dequeue' && type !== 'test:complete') continue
    const { name, entryFile, file = entryFile } = data
    const begins = type === 'test:dequeue'
    const tookMs = begins ? undefined : data.details?.duration_ms
    yield `${JSON.stringify({ begins, name, file: entryFile ?? file, tookMs })}\n`
  }
}
