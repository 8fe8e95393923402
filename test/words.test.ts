// Plain words: phrases that readers had to read twice stay out of documents, texts and comments. CONTRIBUTING.md says how to
// write instead.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Files that are checked. Add a folder here once it is clean. */
const checked = [
  '*.md',
  'docs/**/*.md',
  'Dockerfile',
  'compose*.yaml',
  '.ci/run',
  'deploy/*',
  'bench/**/*.ts',
  'tools/*.{ts,js}',
  'tools/{fonts,reference}/*.{ts,js,md}',
  'web/*.{md,ts}',
  'web/tools/*.ts',
  'web/src/**/*.{ts,js,svelte,css}',
  'server/**/*.{ts,js}',
  'test/**/*.ts',
]

/** Released migrations are never edited, and the types of the API are generated. */
const unchecked = [...globSync('server/store/migrations/0*.ts'), 'web/src/api/schema.d.ts']

interface Phrase {
  pattern: RegExp
  /** A text in which the pattern must be found. */
  example: string
  instead: string
}

const phrases: Phrase[] = [
  // In quotes, “nobody” is a made-up user name.
  {
    pattern: /(?<!['=-] ?)\bnobody\b(?!['-])/i,
    example: 'Nobody but the owner',
    instead: 'only, no client, no user',
  },
  { pattern: /\bsomebody\b/i, example: 'somebody else’s rows', instead: 'another user, a client' },
  // "Whoever runs this log" is what the sign-in page says.
  { pattern: /\bwhoever\b(?! runs this log)/i, example: 'Whoever asks', instead: 'the caller, a client' },
  { pattern: /\beverybody\b/i, example: 'everybody’s flights', instead: 'everyone, all users' },
  { pattern: /\banybody\b/i, example: 'anybody may', instead: 'anyone, any client' },
  { pattern: /\banew\b/i, example: 'Password set anew', instead: 'again, new' },
  { pattern: /\bfor ever\b/i, example: 'could take for ever', instead: 'indefinitely, too long' },
  { pattern: /\bbump(?:s|ed|ing)?\b/i, example: 'bumps the revision', instead: 'increment' },
  {
    pattern: /\braises? (?:a|the|its|this|that|one) (?:counter|revision)/i,
    example: 'raises the counter',
    instead: 'increment',
  },
  { pattern: /\bpatience\b/i, example: 'PATIENCE', instead: 'timeout' },
  { pattern: /\bbyte-?cache\b/i, example: 'the byteCache', instead: 'responseCache' },
  {
    pattern: /\bfurniture\b|\bbriefing\b/i,
    example: 'a briefing for workers',
    instead: 'worker state, message',
  },
  {
    pattern: /\bat once\b.*\btold\b|\btold at once\b/i,
    example: 'all are told at once',
    instead: 'reported together',
  },
  { pattern: /\bin vain\b/i, example: 'asked for in vain', instead: 'would be refused anyway' },
  { pattern: /\bbites? at\b/i, example: 'bites at the next request', instead: 'takes effect on' },
  { pattern: /\bserved its purpose\b/i, example: 'has served its purpose', instead: 'is erased here' },
  { pattern: /\bcounterpart\b/i, example: 'before its counterpart', instead: 'name the field' },
  {
    pattern: /\bjourneys? to (?:the database|PostgreSQL|another process)/i,
    example: 'a journey to PostgreSQL',
    instead: 'round trip',
  },
  {
    pattern: /\b(?:is|are|was|were) answered (?:with|by|so)\b/i,
    example: 'is answered with 404',
    instead: 'returns 404',
  },
  {
    pattern: /\b(?:is|are) not for you\b/i,
    example: 'This section is not for you',
    instead: 'You don’t have access',
  },
  { pattern: /\bno longer there\b/i, example: 'That is no longer there.', instead: 'no longer exists' },
  { pattern: /\bhow many-?th\b/i, example: 'the how many-th on its route', instead: 'the nth' },
  { pattern: /\bsaid no\b/i, example: 'The person said no', instead: 'denied the request' },
  { pattern: /\bVorlieben\b|\bGelebt\b/, example: 'Vorlieben', instead: 'Einstellungen, Gewohnt' },
]

const files = globSync(checked).filter(
  (file) => !unchecked.includes(file) && !file.endsWith('/words.test.ts'),
)

test('documents, texts and comments use plain words', () => {
  assert.ok(files.length > 60, 'the list of folders finds its files')
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        phrases
          .filter(({ pattern }) => pattern.test(line))
          .map(({ instead }) => `${file}:${i + 1}: ${line.trim()} (write: ${instead})`),
      ),
  )
  assert.deepEqual(found, [])
})

test('every phrase matches its example', () => {
  for (const { pattern, example } of phrases) assert.match(example, pattern)
})
