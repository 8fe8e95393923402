// Every interface of the application opens an operation before it runs, the condition of a request is checked before its
// body, and modules keep no state.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { test } from 'node:test'
import * as z from 'zod'
import type { Condition } from '../server/domain/flights/conditions.ts'
import { open } from '../server/door/open.ts'
import { everyone, operation, takes } from '../server/door/operation.ts'
import { cachedResponse } from '../server/door/responses.ts'
import { onSqlite } from './harness.ts'

const sources = globSync('server/**/*.ts').map((file) =>
  sourceOf(relative('server', file), withoutComments(readFileSync(file, 'utf8'))),
)

function sourceOf(file: string, code: string) {
  // Indented code is inside of something, usually a function.
  return { file, code, inside: code.replaceAll(/^\S.*$/gm, '') }
}

function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

// Who calls what an operation declares

/** Objects with a `run` method that are not operations. */
const others = ['command', 'statement']

/** Every place that calls a declared step, or takes it out of its operation for a later call. */
function callersOf(step: string): string[] {
  // With an argument: what `open` returns has methods of the same names, which take none.
  const call = new RegExp(`([\\w#]+)[!?]?\\.${step}[!?]?\\.?(?:\\((?!\\))|(?:call|apply|bind)\\()`, 'g')
  const taken = new RegExp(`\\{[^{}]*\\b${step}\\b[^{}]*\\} = (?:op|operation)\\b`, 'g')
  return sources.flatMap(({ file, code }) =>
    [...code.matchAll(call), ...code.matchAll(taken)]
      .filter(([, receiver]) => !others.includes(receiver!))
      .map(([text]) => `${file}: ${text}`),
  )
}

test('operations are run, streamed and asked for cache keys in one place each', () => {
  const among = (step: string, group: string) =>
    callersOf(step).filter((place) => new RegExp(`: (?:${group}\\b|\\{)`).test(place))
  assert.deepEqual(callersOf('run'), ['door/open.ts: op.run('])
  assert.deepEqual(callersOf('stream'), ['door/responses.ts: sends!.stream!('])
  assert.deepEqual(callersOf('jsonText'), ['door/responses.ts: sends.jsonText('])
  assert.deepEqual(among('key', 'cached'), ['door/responses.ts: cached!.key!('])
  assert.deepEqual(among('find', 'target'), ['door/open.ts: target!.find!('])
  assert.deepEqual(
    callersOf('check').filter((place) => /: (?:op|operation)\b/.test(place)),
    [],
  )
})

test('only the door creates checked calls', () => {
  const made = sources.filter(({ code }) => /new OpenCall\b/.test(code)).map(({ file }) => file)
  assert.deepEqual(made, ['door/open.ts'])
  assert.doesNotMatch(
    sources.find(({ file }) => file === 'door/open.ts')!.code,
    /export (?:class|\{ OpenCall)/,
  )
})

test('only the legacy API checks by its own rules', () => {
  const own = sources.filter(({ code }) => openingsIn(code).some((given) => /\bcheck\b/.test(given)))
  assert.deepEqual(
    own.map(({ file }) => file),
    ['http/legacy/legacy.ts'],
  )
})

/** The arguments of each call of `open`. */
const openingsIn = (code: string): string[] =>
  [...code.matchAll(/(?<!function |\.)\bopen\(/g)].map(({ index }) => {
    let depth = 0
    for (let i = code.indexOf('(', index); i < code.length; i++) {
      if (code[i] === '(') depth++
      else if (code[i] === ')' && --depth === 0) return code.slice(index, i)
    }
    return code.slice(index)
  })

// State of modules

/** State outside of `Services` and `createApp`, each with the reason why two applications may share it. */
const shared: Record<string, string> = {
  'services/accounts/passwords.ts: inTurn': 'bounds the threads of the process that hash passwords',
  'services/access/principal.ts: permissionSet': 'a pure function of its text, remembered',
  'services/access/principal.ts: scopeSet': 'a pure function of its text, remembered',
  'base/bounded-pattern.ts: context': 'emptied before the next use; nothing waits in between',
  'base/bounded-pattern.ts: spentThisTurn': 'bounds one turn of the process’s event loop',
  'base/request/input.ts: withoutParameters': 'a pure function of a schema, remembered',
  'domain/access/access.ts: effective': 'a pure function of its set, remembered as long as the set lives',
  'domain/time/time.ts: zoneNames': 'a constant, computed when it is needed first',
  'domain/time/zone-rules.ts: unpacked': 'a pure function of a line of the table, remembered',
  'domain/time/typed-date.ts: formatters': 'constants, made when they are needed first',
  'operations/flights/json-text.ts: recordTexts':
    'a pure function of a record, remembered as long as it lives',
  'operations/flights/view.ts: routes': 'a pure function of two records, remembered as long as they live',
  'services/metrics/metrics.ts: known': 'the standard collectors measure the process and cannot be stopped',
  'process/workers.ts: requests': 'counts within the primary process, of which there is one',
  'store/engine/columns.ts: converted': 'names of columns, the same for every database',
  'store/flights/bin.ts: keysAmong': 'compiled statements, the same for every database',
  'services/imports/content/barcodes.ts: loading': 'the decoder’s program, which keeps nothing of a picture',
  'services/imports/reading/process.ts: file': 'of the process, which reads one file at a time',
  'services/imports/reading/process.ts: filled': 'of the process, which reads one file at a time',
  'services/imports/reading/process.ts: underWay': 'of the process, which reads one file at a time',
  'services/imports/reading/read.ts: kept': 'an idle process that keeps nothing of the file it read',
  'services/imports/values/named.ts: aircraftNamed': 'what a text says, a bounded number of them',
  'services/imports/values/named.ts: airlineNamed': 'what a text says, a bounded number of them',
  'services/imports/values/named.ts: airportNamed': 'what a text says, a bounded number of them',
  'store/imports/commits.ts: certain': 'compiled statements, the same for every database',
  'store/imports/commits.ts: certainOrDuplicate': 'compiled statements, the same for every database',
  'store/flights/bin.ts: lockFlights': 'compiled statements, the same for every database',
  'store/flights/bin.ts: rowsOfFlights': 'compiled statements, the same for every database',
  'store/flights/filters.ts: statements': 'compiled statements, the same for every database',
}

const mutators = 'set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin'

/** Whether functions of this module change the constant's contents. */
function isChanged(name: string, inside: string): boolean {
  if (!inside.includes(name)) return false
  const member = `(?<![.\\w])${name}(?:\\.\\w+|\\[[^\\]]*\\])*`
  return new RegExp(
    `${member}\\.(?:${mutators})\\(|(?<![.\\w])${name}(?:\\.\\w+|\\[[^\\]]*\\])+ (?:\\?\\?|[-+|&])?= |${member}(?:\\+\\+|--)|Object\\.assign\\(${name}\\b`,
  ).test(inside)
}

/** Functions that return something with state; a module-level call creates shared state. */
const factories = new Set(
  sources.flatMap(({ code }) =>
    [
      ...code.matchAll(
        /^(?:export )?(?:async )?(?:function (\w+)|const (\w+) = (?:<[^\n]*>)?\()[\s\S]*?\n(?=\S)(?:\})?/gm,
      ),
    ]
      .filter(([body]) => /^ {2}(?:let |const \w+(?:: [^=]+)? = new (?:Weak)?(?:Map|Set)\b)/m.test(body))
      .filter(([body]) => /^ {2}return (?:async )?(?:\(|\{|\w+ =>)/m.test(body))
      .map(([, declared, assigned]) => (declared ?? assigned)!),
  ),
)

function stateOf({ file, code, inside }: ReturnType<typeof sourceOf>): string[] {
  const declared = [...code.matchAll(/^(?:export )?(let|const) (\w+)(?:: [^=]+)?(?: = (\w+)?)?/gm)]
  return declared
    .filter(
      ([, kind, name, maker]) =>
        kind === 'let' || isChanged(name!, inside) || (maker !== undefined && factories.has(maker)),
    )
    .map(([, , name]) => `${file}: ${name}`)
}

test('modules keep no state, because it belongs to the application of createApp', () => {
  const found = sources.flatMap(stateOf).sort()
  assert.deepEqual(found, Object.keys(shared).sort())
})

test('module state is found by this test', () => {
  const found = (code: string) => stateOf(sourceOf('x', code)).length === 1
  assert.ok(factories.has('createResponseCache') && factories.has('createTurns'))
  assert.ok(found('let count = 0\n'))
  assert.ok(found('const cache = createResponseCache(1)\n'))
  assert.ok(found('const seen = new Map()\nfunction f() {\n  seen.set(1, 2)\n}\n'))
  assert.ok(found('const seen = { a: [] }\nfunction f() {\n  seen.a.push(2)\n}\n'))
  assert.ok(found('const seen = { a: 1 }\nfunction f() {\n  seen.a = 2\n}\n'))
  assert.ok(!found('const table = new Map()\ntable.set(1, 2)\nfunction f() {\n  return table.get(1)\n}\n'))
})

// The target

onSqlite('the door', (app) => {
  test('a write reads its target in its own transaction, and checks its state before the body', async () => {
    const events: string[] = []
    const probe = operation({
      id: 'probe',
      method: 'PUT',
      path: '/probe',
      tag: 'Probe',
      summary: 'Shows in which order the door does things',
      access: everyone,
      body: takes(z.object({ name: z.string() })),
      output: z.object({ isOfTransaction: z.boolean() }),
      target: {
        find({ db }) {
          events.push('target')
          return db
        },
        requireState: async () => void events.push('state'),
      },
      check: () => void events.push('check'),
      async run({ db, target }) {
        events.push('run')
        return { isOfTransaction: db === target && db !== app().services.store.read }
      },
    })
    const runWith = async (condition?: Condition) => {
      events.length = 0
      const readBody = () => {
        events.push('body')
        return { name: 'x' }
      }
      const opened = await open(probe, app().services, undefined, { condition, readBody })
      assert.deepEqual(await opened.value(), { isOfTransaction: true })
      return events.join(' ')
    }
    assert.equal(await runWith(), 'body check target run')
    assert.equal(await runWith({ match: '*' }), 'state body check target run')
  })

  test('a share’s page, data and picture are found or not found together', async () => {
    const key = await (await app().person()).key()
    const slug = `seen-${app().engine}`
    const made = await app().request('POST', '/api/v1/shares', { key, body: { slug, showMap: true } })
    const statuses = async (name: string) => {
      const paths = [`/share/${name}`, `/share/${name}/data`, `/share/${name}/preview.png`]
      const replies = await Promise.all(paths.map((path) => app().request('GET', path)))
      for (const reply of replies) assert.equal(reply.headers['x-robots-tag'], 'noindex')
      assert.match(String(replies[0]!.headers['content-type']), /^text\/html/)
      return replies.map((reply) => reply.status)
    }
    assert.deepEqual(await statuses(slug), [200, 200, 200])
    for (const absent of ['absent', 'no%00slug', 'a'.repeat(51)])
      assert.deepEqual(await statuses(absent), [404, 404, 404])
    await app().request('DELETE', `/api/v1/shares/${made.json.data.id}`, { key })
    assert.deepEqual(await statuses(slug), [404, 404, 404])
  })

  test('a read finds its target once for its cache key and its value', async () => {
    let lookups = 0
    const probe = operation({
      id: 'probe-read',
      method: 'GET',
      path: '/probe',
      tag: 'Probe',
      summary: 'Shows how often the target is looked up',
      access: everyone,
      output: z.object({ lookups: z.int() }),
      target: { find: () => ++lookups },
      cached: { key: ({ target, now }) => `${target} ${now.getTime()} ${app().engine}` },
      run: async ({ target }) => ({ lookups: target }),
    })
    const opened = await open(probe, app().services, undefined, {})
    const bytes = await (await cachedResponse(opened)).bytes()
    assert.equal(bytes.toString(), '{"lookups":1}')
  })
})
