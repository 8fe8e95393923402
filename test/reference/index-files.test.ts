// The search indexes are read from files: damaged, missing or unusable ones change no result, and several applications may
// make them at the same time.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { searchText } from '../../server/domain/text/search-text.ts'
import { indexFolder, toBytes } from '../../server/services/reference/search/file.ts'
import { indexRows } from '../../server/services/reference/search/rows.ts'
import { engines, freshDatabase, startTestApp } from '../harness.ts'
import { until } from '../until.ts'

/** That of the airports takes seconds to make, and nothing about it differs. */
const queries = ['airlines?query=swiss', 'airlines?query=lufthanas', 'aircraft?query=a320']

for (const engine of engines) {
  describe(`the files of the search indexes on ${engine}`, () => {
    let place: Awaited<ReturnType<typeof freshDatabase>>
    let folder: string
    /** What the prepared database came with. */
    let files: Map<string, Buffer>
    let expected: string[]
    const filesNow = () =>
      new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))

    const fileOf = (kind: string) => join(folder, [...files.keys()].find((name) => name.startsWith(kind))!)

    /** The results of an application that starts now, and what it logged. */
    const search = async (asked = queries) => {
      const app = await startTestApp(engine, place)
      try {
        const key = await (await app.person()).key(['reference_data.read'])
        const results = []
        for (const query of asked) results.push((await app.request('GET', `/api/v1/${query}`, { key })).text)
        return { results, logged: app.logged.filter((line) => line.includes('search index')) }
      } finally {
        await app.close()
      }
    }

    before(async () => {
      place = await freshDatabase(engine)
      folder = indexFolder(place.dataDir)
      files = filesNow()
      expected = (await search()).results
      assert.ok(expected.every((text) => JSON.parse(text).data.length > 0))
    })
    after(() => place?.drop())

    test('an application reads them, whichever engine they were made on', async () => {
      assert.equal(files.size, 3)
      assert.deepEqual(filesNow(), files, 'no file was written')
      const marker = `7 0 90000${searchText({ codes: ['QQQ'], names: ['Nowhere in particular'] })}`
      rmSync(fileOf('airports'))
      writeFileSync(fileOf('airports'), toBytes(await indexRows([marker])))
      const { results } = await search(['airports?query=nowhere'])
      assert.deepEqual(
        JSON.parse(results[0]!).data.map(({ id }: { id: number }) => id),
        [7],
      )
      const found = fileOf('airports')
      rmSync(found)
      files.delete(basename(found))
    })

    test('damaged, shortened and empty files are made again', async () => {
      const damages: ((whole: Buffer) => Buffer)[] = [
        (whole) => Buffer.from(whole).fill(whole[5000]! ^ 1, 5000, 5001),
        (whole) => whole.subarray(0, whole.length - 4),
        () => Buffer.alloc(0),
        () => Buffer.from('not an index'),
      ]
      // Of the two files, each has another damage at a time.
      for (const first of [0, 2]) {
        for (const [i, [name, whole]] of [...files].entries()) {
          rmSync(join(folder, name), { force: true })
          writeFileSync(join(folder, name), damages[(first + i) % damages.length]!(whole))
        }
        assert.deepEqual((await search()).results, expected)
        await until('the files are as before', () => same(filesNow(), files))
      }
    })

    test('applications that find none make the same files at the same time, and delete those of other sets', async () => {
      rmSync(folder, { recursive: true })
      const all = await Promise.all([search(), search(), search()])
      for (const { results } of all) assert.deepEqual(results, expected)
      await until('the files are as before', () => same(filesNow(), files))
      renameSync(fileOf('airlines'), join(folder, 'airlines-of-another-set'))
      await search()
      await until('the files are as before', () => same(filesNow(), files))
    })

    test('the data for lines of text are made once for all applications, and again if they are damaged', async () => {
      const cache = join(place.dataDir, 'cache')
      const line = async () => {
        const app = await startTestApp(engine, place)
        try {
          const cookie = await (await app.person()).session()
          return (await app.request('GET', '/app/api/line-data', { cookie })).text
        } finally {
          await app.close()
        }
      }
      const first = await line()
      const [name, ...others] = readdirSync(cache)
      assert.deepEqual(others, [])
      const text = readFileSync(join(cache, name!), 'utf8')
      assert.equal(first, `{"data":${text}}`)
      writeFileSync(join(cache, name!), text.replaceAll('Frankfurt', 'Xrankfurt'))
      assert.equal(await line(), first.replaceAll('Frankfurt', 'Xrankfurt'))
      writeFileSync(join(cache, name!), text.slice(0, 1000))
      assert.equal(await line(), first)
    })

    test('a folder that cannot be written changes no result, and is reported', async () => {
      rmSync(folder, { recursive: true })
      writeFileSync(folder, 'a file')
      const { results, logged } = await search()
      assert.deepEqual(results, expected)
      assert.match(logged[0]!, /cannot keep a search index/)
    })
  })
}

const same = (found: Map<string, Buffer>, files: Map<string, Buffer>): boolean =>
  found.size === files.size && [...files].every(([name, bytes]) => found.get(name)?.equals(bytes))
