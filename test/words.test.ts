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
  'ca_profile.xml',
  '.ci/run',
  'deploy/{contrail*,debian/*,unraid/*}',
  'bench/**/*.ts',
  'tools/*.{ts,js,sh}',
  'tools/{fonts,reference}/*.{ts,js,md}',
  'web/*.{md,ts}',
  'web/tools/*.ts',
  'web/src/**/*.{ts,js,svelte,css}',
  'server/**/*.{ts,js}',
  'test/**/*.{ts,sh}',
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
  {
    pattern: /\bis to be restored\b/i,
    example: 'nothing is to be restored',
    instead: 'There is nothing to restore',
  },
  {
    pattern: /\btime for the \w+ is over\b/i,
    example: 'The time for the code is over',
    instead: 'has expired',
  },
  {
    pattern: /\btwo \w+ at once\b(?!')/i,
    example: 'Of two calls at once, the second',
    instead: 'If two calls run concurrently',
  },
  { pattern: /\bstrangers each\b/i, example: 'Of the known and of strangers each', instead: 'separately' },
  { pattern: /\bof those that occur\b/i, example: 'Of those that occur equally often', instead: 'On a tie' },
  { pattern: /\bhow far that came\b/i, example: 'returns how far that came', instead: 'the saved progress' },
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

/** Texts that people read in the app, on pages and in mails. */
const texts = [
  'web/src/i18n/en/*.ts',
  'server/{domain,http,pages,process,services}/**/*texts.ts',
  'server/services/imports/readers/how-to.ts',
]

/** Folders whose comments have been read one by one. Add a folder here once it is clean. */
const reread = [
  'web/src/{api,draft,flights,history,i18n,lib,line,log,notices,queue,screen,session,shell,sign-in,stats,styles,testing,visited}/**/*.{ts,svelte,css}',
  'web/src/*.{ts,js}',
]
const isComment = /^\s*(?:\/\/|\/\*|\*|<!--)/

/** Words that are fine in code, but that a text of the app says more plainly. */
const phrasesOfTexts: Phrase[] = [
  { pattern: /\bat once\b/i, example: 'stops working at once', instead: 'immediately, at the same time' },
  { pattern: /\bby (?:itself|themselves|hand)\b/i, example: 'marked by hand', instead: 'automatically, you' },
  { pattern: /\bbeside\b/i, example: 'Beside those you have', instead: 'next to' },
  {
    pattern:
      /(?<!\b(?:no one|some(?:one|thing)|any(?:one|thing)|everything|everyone|nothing) )\belse\b(?!:)/i,
    example: 'as it was entered, else the time between',
    instead: 'otherwise',
  },
  { pattern: /(?<!e-)\bmails\b/i, example: 'This server sends no mails.', instead: 'mail, e-mails' },
  { pattern: /\bt(?:ake|akes|aken|aking) (?:it |this )?back\b/i, example: 'Taken back', instead: 'undo' },
  {
    pattern: /\bwaits? (?:to be|for (?:you|an answer|a decision))\b|\bthat wait\b|\} waits?\b/i,
    example: '{count} changes wait to be sent.',
    instead: 'not synced yet, needs, pending',
  },
  {
    pattern: /\b(?:stands?|lies?) (?:in|on|there|with|only)\b/i,
    example: 'It stands in the middle of its month.',
    instead: 'is, is shown',
  },
  { pattern: /\bbehind “/i, example: 'put it behind “note:”', instead: 'after' },
  { pattern: /\blet go\b/i, example: 'Let go to read it', instead: 'drop' },
  { pattern: /\bwhat becomes of\b/i, example: 'Rows by what becomes of them', instead: 'result' },
  { pattern: /\bcounts? nowhere\b/i, example: 'and counts nowhere', instead: 'is not counted' },
  {
    pattern: /\bwas undone already\b/i,
    example: 'It was undone already.',
    instead: 'has already been undone',
  },
  { pattern: /\bperhaps you mean\b/i, example: 'Perhaps you mean {near}.', instead: 'Did you mean' },
  { pattern: /\bsay(?:s)? so\b/i, example: 'If this was not you, say so', instead: 'report it' },
  {
    pattern: /\bmake (?:a|an|new) (?:address|one|trip|film of|recovery codes)\b/i,
    example: 'Make a trip',
    instead: 'create',
  },
  {
    pattern: /\bthe present (?:one|address|password)\b/i,
    example: 'in case someone knows the present one',
    instead: 'current',
  },
  { pattern: /\bkg a km\b|\bone tick a\b/i, example: '{factor} kg a km', instead: 'per' },
]

/** What reads as translated in a comment. */
const phrasesOfComments: Phrase[] = [
  { pattern: /\bat once\b/i, example: 'It is read at once', instead: 'immediately, together, synchronously' },
  { pattern: /\bbeside\b/i, example: 'beside its title', instead: 'next to' },
  { pattern: /\bby itself\b/i, example: 'taken over by itself', instead: 'automatically, on its own' },
  { pattern: /\bin sight\b/i, example: 'the rows in sight', instead: 'in view, visible' },
  { pattern: /\bt(?:ake|akes|aken) (?:it |this )?back\b/i, example: 'takes it back', instead: 'undo' },
  { pattern: /\bcounts? nowhere\b/i, example: 'count nowhere', instead: 'are not counted' },
  { pattern: /\bcame about\b/i, example: 'How it came about', instead: 'how it was calculated' },
  { pattern: /\bwhat waits\b/i, example: 'What waits to be sent', instead: 'unsent changes' },
  { pattern: /\bstands? (?:in|on|there|below|above)\b/i, example: 'stands on the globe', instead: 'is' },
  { pattern: /\bsaid once\b/i, example: 'is said once', instead: 'shown once' },
  { pattern: /\bfor the (?:eye|ear)\b/i, example: 'for the eye', instead: 'visible, for screen readers' },
]

/** Lines with a phrase, as `file:line: text`. */
const foundIn = (globs: readonly string[], rejected: readonly Phrase[], isRead = (_line: string) => true) =>
  globSync(globs)
    .filter((file) => !unchecked.includes(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, i) =>
          rejected
            .filter(({ pattern }) => isRead(line) && pattern.test(line))
            .map(({ instead }) => `${file}:${i + 1}: ${line.trim()} (write: ${instead})`),
        ),
    )

test('texts of the app say what a product writer would say', () => {
  assert.ok(globSync(texts).length > 35, 'the list finds its files')
  assert.deepEqual(foundIn(texts, phrasesOfTexts), [])
})

test('comments that were read one by one stay plain', () => {
  assert.ok(globSync(reread).length > 300, 'the list of folders finds its files')
  const found = foundIn(reread, phrasesOfComments, (line) => isComment.test(line))
  assert.deepEqual(found, [])
})

test('every phrase matches its example', () => {
  for (const { pattern, example } of [...phrases, ...phrasesOfTexts, ...phrasesOfComments])
    assert.match(example, pattern)
})
