// What the application sends to PostgreSQL, noted at the driver, and held to the list in docs/scaling.md: an engine that knows
// these words can run it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import pg from 'pg'

const GUIDE = 'docs/scaling.md'
const LIST = /<!-- sql -->\n([\s\S]*?)<!-- \/sql -->/

/** Distinct texts of this process, with whether they were compared with the list. */
const sent = new Map<string, boolean>()

/** How tests and benches begin a statement that the application does not need. */
const BY_TEST = '/* test */'

export const noteSent = (text: string): void => {
  if (!sent.has(text) && !text.startsWith(BY_TEST)) sent.set(text, false)
}

interface Client {
  connectionParameters: { application_name?: string }
}
type Send = (this: Client, query: string | pg.QueryConfig, ...rest: unknown[]) => unknown

const { prototype } = pg.Client as unknown as { prototype: { query: Send } }
const send = prototype.query
prototype.query = function (query, ...rest) {
  // Tests have connections of their own.
  if (this.connectionParameters.application_name?.startsWith('contrail'))
    noteSent(typeof query === 'string' ? query : query.text)
  return send.call(this, query, ...rest)
}

/** What PostgreSQL knows: every other word in a statement is a name of ours. */
export interface Vocabulary {
  keywords: ReadonlySet<string>
  functions: ReadonlySet<string>
  types: ReadonlySet<string>
  /** Our tables and columns; a keyword may be one of them. */
  names: ReadonlySet<string>
}

/** The words that the guide lists, each alone and the lock or setting that they name together. */
export function listedWords(): Set<string> {
  const [, list] = LIST.exec(readFileSync(GUIDE, 'utf8')) ?? []
  assert.ok(list, `${GUIDE} has no list of SQL`)
  const entries = [...list.matchAll(/`([^`]+)`/g)].map(([, words]) => words!)
  return new Set(entries.flatMap((words) => [words.replaceAll(' ', '-'), ...words.split(' ')]))
}

let vocabulary: Vocabulary | undefined

/** Reads the words of the server and of our schema, once in a process. */
export async function readVocabulary(databaseUrl: string): Promise<Vocabulary> {
  if (vocabulary) return vocabulary
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const words = async (sql: string) =>
    new Set((await client.query(sql)).rows.map(({ word }) => word as string))
  try {
    vocabulary = {
      keywords: await words('select word from pg_get_keywords()'),
      functions: await words('select proname as word from pg_proc'),
      types: await words(
        "select typname as word from pg_type where typnamespace = 'pg_catalog'::regnamespace",
      ),
      names: await words(`select attname as word from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = current_schema()::regnamespace union select tablename from pg_tables
        where schemaname = current_schema()`),
    }
    return vocabulary
  } finally {
    await client.end()
  }
}

/** Without what the statement contains of ours: comments, texts, quoted names. */
const bareOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/"[^"]*"/g, '""')

/**
 * What a statement needs of the engine: how it begins, keywords, functions as `name()`, types, system tables and operators.
 */
export function wordsOf(text: string, { keywords, functions, types, names }: Vocabulary): Set<string> {
  const bare = bareOf(text)
  const quoted = new Set([...text.matchAll(/"(\w+)"/g)].map(([, name]) => name))
  const found = new Set<string>()
  for (const statement of bare.split(';')) {
    const [, kind] = /^[\s(]*(set\s+\w+|\w+)/.exec(statement) ?? []
    if (kind) found.add(kind.replaceAll(/\s+/g, '-'))
  }
  for (const [, lock] of bare.matchAll(/\bfor\s+(update|share|no key update|key share)\b/g))
    found.add(`for-${lock!.replaceAll(' ', '-')}`)
  const aliases = new Set(
    [...bare.matchAll(/\bas\s+(\w+)\b(?!\s*\()|\b(\w+)\s+as\s+\(/g)].flatMap(([, a, b]) => a ?? b!),
  )
  for (const [, cast, word, call] of bare.matchAll(/(::\s*)?(?<![\w$])([a-z_]\w*)(\s*\()?/g)) {
    if ((cast && !names.has(word!)) || (types.has(word!) && !names.has(word!) && !call)) found.add(word!)
    else if (call && functions.has(word!)) found.add(`${word}()`)
    else if (/^(?:pg_|information_schema)/.test(word!)) found.add(word!)
    else if (keywords.has(word!) && ![names, aliases, quoted].some((ours) => ours.has(word!)))
      found.add(word!)
  }
  for (const [sign] of bare.matchAll(/[-+*/<>=~!@#%^&|?:]+|\[/g)) if (sign !== '::') found.add(sign)
  return found
}

/** Every statement sent so far needs only what the guide lists. */
export function requireListedSql(): void {
  const known = vocabulary
  if (!known) return
  assert.ok(sent.size > 0, 'no statement was noted')
  const listed = listedWords()
  for (const [text, isChecked] of sent) {
    if (isChecked) continue
    sent.set(text, true)
    const outside: string[] = [...wordsOf(text, known)].filter((word) => !listed.has(word))
    assert.deepEqual(
      outside,
      [],
      `not in the list of ${GUIDE} (a test’s own statement begins with ${BY_TEST}): ${text}`,
    )
  }
}
