// Dates of files (spec section 3.1): one decision for all of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportDateOrder } from '../../server/domain/imports/imports.ts'
import { DateEvidence, isOpen, readDateText } from '../../server/services/imports/values/dates.ts'

const today = '2026-11-16'
const read = (text: string, order: ImportDateOrder = 'dmy') => {
  const date = readDateText(text, order, today)
  return date && `${date.iso} ${date.precision}`
}

test('unambiguous dates are read', () => {
  const expected: [string, string | null][] = [
    ['2024-05-06', '2024-05-06 day'],
    ['2024/5/6', '2024-05-06 day'],
    ['20240506', '2024-05-06 day'],
    ['2024-05-06T07:20:00', '2024-05-06 day'],
    ['2024-05-06 07:20:00', '2024-05-06 day'],
    ['2024-05', '2024-05-01 month'],
    ['05/2024', '2024-05-01 month'],
    ['2024', '2024-01-01 year'],
    ['6.5.2024', '2024-05-06 day'],
    ['6. 5. 2024', '2024-05-06 day'],
    ['06.05.24', '2024-05-06 day'],
    ['45000', '2023-03-15 day'],
    ['45000.75', '2023-03-15 day'],
    ['2024-02-30', null],
    ['31.13.2024', null],
    ['19999', null],
    ['80001', null],
    ['0', null],
    ['', null],
    ['yesterday', null],
    ['CPH', null],
    ['x'.repeat(100_000), null],
  ]
  for (const [text, date] of expected) {
    assert.equal(read(text, 'dmy'), date, text)
    assert.equal(read(text, 'mdy'), date, text)
  }
})

test('two-digit years reach to the next year', () => {
  assert.equal(read('01.02.27'), '2027-02-01 day')
  assert.equal(read('01.02.28'), '1928-02-01 day')
  assert.equal(read('17MAY28'), '1928-05-17 day')
})

test('month names are read in the languages of Europe', () => {
  const third = [
    '3 Jun 2024',
    'June 3, 2024',
    'Mon, 3 June 2024',
    '3rd of June 2024',
    '03JUN24',
    '3-Jun-24',
    '3. Juni 2024',
    'Montag, 3. Juni 2024',
    '3 juin 2024',
    'lundi 3 juin 2024',
    '3 de junio de 2024',
    '3 giugno 2024',
    'lunedì 3 giugno 2024',
    '3 de junho de 2024',
    '3 juni 2024',
    'den 3 juni 2024',
    '3. kesäkuuta 2024',
    '3. júní 2024',
  ]
  for (const text of third) assert.equal(read(text), '2024-06-03 day', text)
  const firsts = [
    '1er mars 2024',
    '1 maart 2024',
    '1 de março de 2024',
    '1 marzo 2024',
    '1. März 2024',
    '1. marts 2024',
  ]
  for (const text of firsts) assert.equal(read(text), '2024-03-01 day', text)
  const others: [string, string][] = [
    ['9 août 2024', '2024-08-09 day'],
    ['9 agosto 2024', '2024-08-09 day'],
    ['9 dic 2024', '2024-12-09 day'],
    ['9 déc. 2024', '2024-12-09 day'],
    ['9. maj 2024', '2024-05-09 day'],
    ['9 mei 2024', '2024-05-09 day'],
    ['9 out 2024', '2024-10-09 day'],
    ['9 ene 2024', '2024-01-09 day'],
    ['9 gen 2024', '2024-01-09 day'],
    ['Juni 2024', '2024-06-01 month'],
    ['Jun-24', '2024-06-01 month'],
    ["Mar '98", '1998-03-01 month'],
  ]
  for (const [text, date] of others) assert.equal(read(text), date, text)
})

test('a day without a year is the nearest one', () => {
  assert.equal(read('15 September'), '2026-09-15 day')
  assert.equal(read('15 March'), '2027-03-15 day')
})

test('three numbers with the year last follow the given order', () => {
  assert.equal(read('05/06/2024', 'dmy'), '2024-06-05 day')
  assert.equal(read('05/06/2024', 'mdy'), '2024-05-06 day')
  assert.equal(read('5-6-24', 'mdy'), '2024-05-06 day')
  assert.equal(read('13/06/2024', 'mdy'), null)
  assert.equal(read('98/12/31', 'ymd'), '1998-12-31 day')
  assert.equal(read('05/06/2024', 'ymd'), null)
  assert.equal(isOpen('05/06/2024', today), true)
  assert.equal(isOpen('05/05/2024', today), false)
  assert.equal(isOpen('13/06/2024', today), false)
  assert.equal(isOpen('2024-05-06', today), false)
})

function decide(
  texts: readonly string[],
  {
    chosen = null,
    preferred = null,
  }: { chosen?: ImportDateOrder | null; preferred?: ImportDateOrder | null } = {},
) {
  const evidence = new DateEvidence({ today, chosen, preferred })
  for (const text of texts) evidence.see(text, 'date')
  const { order, by, open } = evidence.decide()
  return `${order} ${by} ${open ? 'open' : 'closed'}`
}

test('a value above 12 decides the order of all dates', () => {
  assert.equal(decide(['01/02/2024', '25/02/2024', '03/03/2024']), 'dmy values closed')
  assert.equal(decide(['01/02/2024', '02/25/2024']), 'mdy values closed')
  assert.equal(decide(['98/12/31', '99/01/02']), 'ymd values closed')
  assert.equal(decide(['25/02/2024', '26/02/2024', '02/27/2024']), 'dmy values closed')
  assert.equal(decide(['25/02/2024', '02/26/2024', '02/27/2024']), 'mdy values closed')
})

test('if as many dates prove one order as the other, the person is asked', () => {
  assert.equal(decide(['25/02/2024', '02/26/2024', '01/02/2024']), 'dmy null open')
  assert.equal(decide(['25/02/2024', '02/26/2024'], { preferred: 'mdy' }), 'mdy null open')
  const evidence = new DateEvidence({ today, chosen: null, preferred: null })
  for (const text of ['25/02/2024', '02/26/2024']) evidence.see(text, 'date')
  assert.deepEqual(evidence.decide().examples, ['25/02/2024'])
})

test('clock times with am or pm count for the month first', () => {
  const withClocks = (cell: string, preferred: ImportDateOrder | null = null, texts = ['01/02/2024']) => {
    const evidence = new DateEvidence({ today, chosen: null, preferred })
    for (const text of texts) {
      evidence.see(text, 'date')
      evidence.seeClocks([text, cell])
    }
    const { order, by } = evidence.decide()
    return `${order} ${by}`
  }
  assert.equal(withClocks('9:30 PM'), 'mdy likelihood')
  assert.equal(withClocks('9:30 p.m.', 'dmy'), 'mdy likelihood')
  assert.equal(withClocks('21:30'), 'dmy null')
  assert.equal(withClocks('1 pm', null, ['01/02/2024', '25/02/2024']), 'dmy values')
})

test('dates in the future or out of file order count against a reading', () => {
  assert.equal(decide(['01/05/2024', '02/03/2024', '03/07/2024', '04/02/2024']), 'mdy likelihood closed')
  assert.equal(decide(['10/01/2026', '01/12/2026', '02/12/2026', '03/12/2026']), 'mdy likelihood closed')
  // One future flight does not overrule the person's preference.
  assert.equal(decide(['05/12/2026']), 'mdy likelihood closed')
  assert.equal(decide(['05/12/2026'], { preferred: 'dmy' }), 'dmy null open')
  // Newest first is also an order.
  assert.equal(decide(['12/05/2024', '11/04/2024', '10/03/2024', '09/07/2024']), 'mdy likelihood closed')
})

test('the preference preselects an undecided order, and a choice decides it', () => {
  const open = ['01/02/2024', '02/03/2024', '03/04/2024']
  assert.equal(decide(open), 'dmy null open')
  assert.equal(decide(open, { preferred: 'mdy' }), 'mdy null open')
  assert.equal(decide(open, { preferred: 'ymd' }), 'dmy null open')
  assert.equal(decide(open, { chosen: 'mdy' }), 'mdy choice closed')
  assert.equal(decide(['01/01/2024', '2/2/2024', '2024-03-04', '5.6.2024']), 'dmy null closed')
})

test('each column has its own order', () => {
  const evidence = new DateEvidence({ today, chosen: null, preferred: null })
  for (const text of ['01/02/2024', '02/03/2024', '03/04/2024']) {
    evidence.see(text, 'date')
    evidence.see('01/01/2024', 'arrival')
  }
  assert.deepEqual(evidence.decide(), {
    order: 'dmy',
    by: null,
    open: true,
    openWithout: true,
    examples: ['01/02/2024', '02/03/2024', '03/04/2024'],
  })
})
