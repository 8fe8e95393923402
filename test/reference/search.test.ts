// Folding, the search index alone, and counting edits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchCode, searchFold } from '../../server/domain/text/fold.ts'
import { createEditCounter } from '../../server/domain/text/near-misses.ts'
import { searchText } from '../../server/domain/text/search-text.ts'
import { createSearchIndex } from '../../server/services/reference/search/search.ts'

test('spellings of one name are folded to one', () => {
  const same: string[][] = [
    ['München', 'Muenchen', 'MUNCHEN', 'mu\u0308nchen'],
    ['Århus', 'Aarhus', 'arhus'],
    ['Tromsø', 'Tromsö', 'tromsoe', 'tromso'],
    ['Łódź', 'lodz'],
    ['Straße', 'Strasse', 'strase'],
    ['St. Louis', 'Saint Louis', 'st louis', 'SAINT-LOUIS'],
    ["O'Hare", 'O’Hare', 'Oʼhare', 'o hare', 'O`Hare'],
    ['İstanbul', 'istanbul', 'Istanbul', 'ıstanbul'],
    ['Đà Nẵng', 'da nang'],
    ['Орёл', 'орел'],
    ['القاهِرة', 'القاهره'],
    ['יְרוּשָׁלַיִם', 'ירושלים'],
    ['ＴＯＫＹＯ', 'tokyo'],
    ['New-York', 'new  york', 'NEW\u00a0YORK'],
    ['777-300ER', '777 300er'],
  ]
  for (const [first, ...others] of same) {
    for (const other of others) assert.equal(searchFold(other), searchFold(first!), `${first} = ${other}`)
  }
  assert.equal(searchFold('A330'), 'a330', 'digits stay')
  assert.equal(searchFold('st'), 'st', 'the beginning of Stockholm')
  assert.equal(searchFold(' %_\\^|!& '), '')
  assert.equal(searchFold('กรุงเทพ'), 'กรุงเทพ', 'vowel signs are letters')
  assert.ok(searchFold('서울').startsWith(searchFold('서우')), 'as it is typed')
  assert.equal(searchCode(' us-0571 '), 'us0571')
})

test('the folded start of a text is the start of the folded text', () => {
  for (const name of ['Queenstown', 'Düsseldorf', 'Phoenix', 'Zuerich', 'Los Angeles', 'Saarbrücken']) {
    for (let length = 1; length <= name.length; length++) {
      const begun = searchFold(name.slice(0, length))
      assert.ok(searchFold(name).startsWith(begun), `${name.slice(0, length)} of ${name}`)
    }
  }
})

const edits = (typed: string, word: string, atMost = 2) =>
  createEditCounter(24)(Buffer.from(typed), Buffer.from(word), atMost)

test('edits are insertions, deletions, replacements and swaps of neighbours', () => {
  assert.equal(edits('heatrow', 'heathrow').whole, 1)
  assert.equal(edits('frankfrut', 'frankfurt').whole, 1)
  assert.equal(edits('ondon', 'london').whole, 1)
  assert.equal(edits('parris', 'paris').whole, 1)
  assert.equal(edits('barselna', 'barcelona').whole, 2)
  assert.ok(edits('paris', 'london').whole > 2)
  assert.ok(edits('abc', 'abcdefgh').whole > 2)
  assert.equal(edits('frankfru', 'frankfurtammain', 1).begun, 1, 'the rest is not typed yet')
  assert.equal(edits('same', 'same').whole, 0)
})

/** Records as `[id, group, importance, parts]`. */
type Given = [number, number, number, Parameters<typeof searchText>[0]]
const indexOf = (records: Given[]) =>
  createSearchIndex(
    (async function* () {
      for (const [id, group, importance, parts] of records)
        yield `${id} ${group} ${importance}${searchText(parts)}`
    })(),
  )
const airports: Given[] = [
  [
    1,
    0,
    90_000,
    {
      codes: ['LHR', 'EGLL'],
      cityCodes: ['LON'],
      names: ['London', 'London Heathrow Airport'],
      aliases: ['Londres', 'Лондон'],
      regions: ['England'],
    },
  ],
  [
    2,
    0,
    70_000,
    {
      codes: ['LGW', 'EGKK'],
      cityCodes: ['LON'],
      names: ['London', 'London Gatwick Airport'],
      regions: ['England'],
    },
  ],
  [3, 1, 2_000, { codes: ['TE17'], names: ['Heathrow', 'Heathrow Ranch'] }],
  [
    4,
    0,
    80_000,
    {
      codes: ['JFK', 'KJFK'],
      cityCodes: ['NYC'],
      names: ['New York', 'John F. Kennedy Airport'],
      regions: ['New York'],
    },
  ],
  [5, 2, 10, { codes: ['HK99'], formerCodes: ['HKG'], names: ['Hong Kong', 'Kai Tak Airport'] }],
  [6, 1, 1_500, { codes: ['XK1'], names: ['Kaitaia', 'Takapau Strip'] }],
  [7, 0, 60_000, { codes: ['BUF'], names: ['Buffalo', 'Buffalo Airport'], regions: ['New York'] }],
  [8, 0, 30_000, { codes: ['BAR'], names: ['Qionghai', 'Bo ao Airport'] }],
  [9, 0, 50_000, { codes: ['TGD'], names: ['Bar', 'Podgorica Airport'] }],
  [10, 0, 40_000, { codes: ['NRT'], names: ['Tokyo', 'Narita Airport'], aliases: ['東京'] }],
]

test('results are ordered by code, whole name, beginning, words, region, then importance; rare places last', async () => {
  const index = await indexOf(airports)
  const ids = (query: string, own?: Set<number>) => index.find(query, 20, { own }).map(({ id }) => id)
  assert.deepEqual(ids('lhr'), [1])
  assert.deepEqual(ids('LON').slice(0, 2), [1, 2], 'a city code lists its airports')
  assert.deepEqual(ids('london').slice(0, 2), [1, 2])
  assert.deepEqual(ids('heathrow'), [1, 3], 'service before a place named so in whole')
  assert.deepEqual(ids('bar').slice(0, 2), [8, 9], 'the exact code, then the city')
  assert.deepEqual(ids('new york').slice(0, 2), [4, 7], 'the city before the region')
  assert.deepEqual(ids('newyork')[0], 4, 'blanks do not count')
  assert.deepEqual(ids('kai tak')[0], 5, 'a closed place that the words mean, before a beginning elsewhere')
  assert.deepEqual(ids('HKG'), [5])
  assert.deepEqual(ids('лондон'), [1])
  assert.deepEqual(ids('東'), [10])
  assert.deepEqual(ids('new york jfk'), [4])
  assert.deepEqual(ids('london gat'), [2])
  assert.deepEqual(ids('gatwick england'), [2])
  assert.deepEqual(ids('london', new Set([2])).slice(0, 2), [2, 1], 'own first among equals')
  assert.deepEqual(ids('heathrow', new Set([3])), [1, 3], 'but only among equals')
  assert.deepEqual(ids('%'), [])
  assert.deepEqual(ids(''), [])
})

test('near misses are returned only if nothing better is found', async () => {
  const index = await indexOf(airports)
  const find = (query: string) => index.find(query, 20, { nearMisses: true })
  const first = (query: string) => find(query)[0]
  for (const [query, id] of [
    ['heatrow', 1],
    ['gatwik', 2],
    ['bufalo', 7],
    ['buffallo', 7],
    ['londno', 1],
    ['new yrok', 4],
    ['lodnon gatwick', 2],
    ['naritta', 10],
  ] as const) {
    assert.equal(first(query)?.id, id, query)
  }
  assert.equal(first('heatrow')!.isNearMiss, true)
  assert.ok(find('london').every(({ isNearMiss }) => !isNearMiss))
  assert.deepEqual(index.find('heatrow', 20), [], 'only if they are wanted')
  assert.equal(first('qzxwvk'), undefined)
  assert.equal(first('zzzz'), undefined)
})

test('a digit is never corrected', async () => {
  const index = await indexOf([
    [1, 0, 10, { codes: ['A388'], names: ['Airbus A380'] }],
    [2, 0, 20, { codes: ['A306'], names: ['Airbus A300'] }],
  ])
  assert.deepEqual(
    index.find('airbis a380', 20, { nearMisses: true }).map(({ id }) => id),
    [1],
  )
  assert.deepEqual(index.find('airbus a390', 20), [])
})

test('an index of many records finds the same as comparing them all', async () => {
  const syllables = ['ka', 'lo', 'mi', 'ra', 'san', 'to', 'ville', 'berg', 'new']
  const name = (n: number) =>
    [n % 9, (n * 7) % 8, (n * 5 + 3) % 9]
      .map((i, at) => syllables[i]! + (n % (at + 2) === 0 ? ' ' : ''))
      .join('')
  const many = Array.from(
    { length: 5000 },
    (_, i): Given => [i + 1, i % 3, (i * 7919) % 1000, { codes: [], names: [name(i)] }],
  )
  const index = await indexOf(many)
  const compact = (text: string) => searchFold(text).replaceAll(' ', '')
  for (const query of ['kalo', 'santo', 'new ka', 'ville', 'mira san', 'b']) {
    const begins = many.filter(([, , , { names }]) => compact(names[0]!).startsWith(compact(query)))
    const found = index.find(query, 5000)
    const expected = new Set(begins.map(([id]) => id))
    assert.equal(found.filter(({ id }) => expected.has(id)).length, expected.size, query)
  }
})
