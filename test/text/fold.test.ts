// The four ways to fold a text, on difficult texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  plain,
  plainSpellings,
  searchCode,
  searchFold,
  storedFold,
  unaccented,
  wordsOf,
} from '../../server/domain/text/fold.ts'

/** Text, plain, words, for searches, as stored. The last column never changes: databases have such texts. */
const golden: [string, string, string, string, string][] = [
  ['Straße, GROẞ', 'strasse, gross', 'strasse|gross', 'strase gros', 'strasse, gross'],
  ['Ærøskøbing', 'aeroskobing', 'aeroskobing', 'aroskobing', 'aeroskobing'],
  ['ÞÓRSHÖFN', 'thorshofn', 'thorshofn', 'thorshofn', 'thorshofn'],
  ['Łódź – Đồng Hới', 'lodz - dong hoi', 'lodz|dong|hoi', 'lodz dong hoi', 'lodz – dong hoi'],
  ['œuvre ŒIL ðæ', 'oeuvre oeil dae', 'oeuvre|oeil|dae', 'ouvre oil da', 'oeuvre oeil dae'],
  [
    'İstanbul ISPARTA Iğdır',
    'istanbul isparta igdir',
    'istanbul|isparta|igdir',
    'istanbul isparta igdir',
    'istanbul isparta igdir',
  ],
  ['ħaż-Żebbuġ ŋ ə', 'ħaz-zebbug ŋ ə', 'ħaz|zebbug|ŋ|ə', 'haz zebug n e', 'ħaz-zebbug ŋ ə'],
  ['L’été ‘là’', "l'ete 'la'", 'l|ete|la', 'l ete la', 'l’ete ‘la’'],
  ['“Zürich” „Genève“', '"zurich" "geneve"', 'zurich|geneve', 'zurich geneve', '“zurich” „geneve“'],
  ['Dep.\u00a0Time\t\n  (UTC)', 'dep. time\t\n  (utc)', 'dep|time|utc', 'dep time utc', 'dep. time (utc)'],
  [
    '20–2\u22122026 10\u201130 1—2\u20123\u20104',
    '20-2-2026 10-30 1-2-3-4',
    '20|2|2026|10|30|1|2|3|4',
    '20 2 2026 10 30 1 2 3 4',
    '20–2\u22122026 10\u201030 1—2\u20123\u20104',
  ],
  ['ﬁnal ＤＥ１２ ²½', 'final de12 21⁄2', 'final|de12|21|2', 'final de12 21 2', 'final de12 21⁄2'],
  ['Saint-Exupéry', 'saint-exupery', 'saint|exupery', 'saint exupery', 'saint-exupery'],
  ['St. Ste Ft Mt x', 'st. ste ft mt x', 'st|ste|ft|mt|x', 'saint sainte fort mount x', 'st. ste ft mt x'],
  [
    'Müller Mueller Muller',
    'muller mueller muller',
    'muller|mueller|muller',
    'muler muler muler',
    'muller mueller muller',
  ],
  ['Aaachen Hannover', 'aaachen hannover', 'aaachen|hannover', 'aaachen hanover', 'aaachen hannover'],
  ['Ελλάδα Москва', 'ελλαδα москва', 'ελλαδα|москва', 'ελλαδα москва', 'ελλαδα москва'],
  ['ירושלים ש\u05b8\u05c1לו\u05b9ם', 'ירושלים שלום', 'ירושלים|שלום', 'ירושלים שלום', 'ירושלים שלום'],
  ['تهران ی ک ة', 'تهران ی ک ة', 'تهران|ی|ک|ة', 'تهران ي ك ه', 'تهران ی ک ة'],
  ['東京\u3000서울', '東京 서울', '東京|서울', '東京 서울', '東京 서울'],
  ['depTime', 'deptime', 'deptime', 'deptime', 'deptime'],
  ['   ', '   ', '', '', ''],
]

test('difficult texts are folded as recorded', () => {
  for (const [text, isPlain, words, isSearched, isStored] of golden) {
    const folded = [plain(text), wordsOf(text).join('|'), searchFold(text), storedFold(text)]
    assert.deepEqual(folded, [isPlain, words, isSearched, isStored], text)
  }
})

test('folding a folded text changes nothing', () => {
  for (const [, isPlain, , , isStored] of golden) {
    assert.equal(plain(isPlain), isPlain)
    assert.equal(storedFold(isStored), isStored)
  }
})

test('removing accents keeps the case and the other letters', () => {
  assert.equal(unaccented('Élève Ørsted ＡＢ ß'), 'Eleve Ørsted AB ß')
})

test('a name has the spellings of its umlauts, and keeps its double letters', () => {
  assert.deepEqual(plainSpellings('Benn Ott'), ['benn ott'])
  assert.deepEqual(plainSpellings('Jürgen Müller'), ['jurgen muller', 'juergen mueller'])
  assert.deepEqual(plainSpellings('Åse Sørli'), ['ase sorli', 'aase soerli'])
  assert.deepEqual(plainSpellings('Ju\u0308rgen'), ['jurgen', 'juergen'])
  assert.deepEqual(plainSpellings('Zoë O’Hara'), ['zoe o hara'])
})

test('a folded code has only letters and digits', () => {
  assert.equal(searchCode(' us-0571 '), 'us0571')
  assert.equal(searchCode('ＪＦＫ'), 'jfk')
})
