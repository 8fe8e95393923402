// The days of recurring events, by the examples of RFC 5545 §3.8.5.3 as far as their rules are supported, and the end of
// every search.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOfRule, readRule } from '../../server/services/imports/content/recurrence.ts'

const daysOf = (rule: string, first: string, today = '2000-01-01', last: string | null = null): string[] =>
  daysOfRule(readRule(rule) ?? assert.fail(rule), first, { most: 366, last, today, isOut: () => false })

const cases: [rule: string, first: string, days: string][] = [
  ['FREQ=DAILY;COUNT=3', '1997-09-02', '09-02 09-03 09-04'],
  ['FREQ=DAILY;INTERVAL=10;COUNT=5', '1997-09-02', '09-02 09-12 09-22 10-02 10-12'],
  ['FREQ=DAILY;BYDAY=SA,SU;COUNT=4', '1997-09-06', '09-06 09-07 09-13 09-14'],
  ['FREQ=WEEKLY;COUNT=4', '1997-09-02', '09-02 09-09 09-16 09-23'],
  ['FREQ=WEEKLY;COUNT=5;WKST=SU;BYDAY=TU,TH', '1997-09-02', '09-02 09-04 09-09 09-11 09-16'],
  [
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    '1997-09-02',
    '09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16',
  ],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1997-08-05', '08-05 08-10 08-19 08-24'],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1997-08-05', '08-05 08-17 08-19 08-31'],
  ['FREQ=MONTHLY;COUNT=3;BYDAY=1FR', '1997-09-05', '09-05 10-03 11-07'],
  ['FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=1SU,-1SU', '1997-09-07', '09-07 09-28 11-02 11-30'],
  ['FREQ=MONTHLY;COUNT=4;BYDAY=-2MO', '1997-09-22', '09-22 10-20 11-17 12-22'],
  ['FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3', '1997-09-28', '09-28 10-29 11-28'],
  ['FREQ=MONTHLY;COUNT=4;BYMONTHDAY=2,15', '1997-09-02', '09-02 09-15 10-02 10-15'],
  ['FREQ=MONTHLY;COUNT=3;BYMONTHDAY=31', '1997-08-31', '08-31 10-31 12-31'],
  ['FREQ=MONTHLY;COUNT=3', '1997-08-31', '08-31 10-31 12-31'],
  ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '1997-09-04', '09-04 10-07 11-06'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=4', '1997-09-29', '09-29 10-30 11-27 12-30'],
  ['FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13;COUNT=4', '1997-09-13', '09-13 10-11 11-08 12-13'],
]

test('the examples of the standard give their dates', () => {
  for (const [rule, first, days] of cases)
    assert.deepEqual(
      daysOf(rule, first),
      days.split(' ').map((day) => `1997-${day}`),
      rule,
    )
  assert.deepEqual(daysOf('FREQ=YEARLY;COUNT=4;BYMONTH=6,7', '1997-06-10'), [
    '1997-06-10',
    '1997-07-10',
    '1998-06-10',
    '1998-07-10',
  ])
  assert.deepEqual(daysOf('FREQ=YEARLY;BYDAY=20MO;COUNT=3', '1997-05-19'), [
    '1997-05-19',
    '1998-05-18',
    '1999-05-17',
  ])
  assert.deepEqual(daysOf('FREQ=YEARLY;BYDAY=-1SU;COUNT=2', '1997-12-28'), ['1997-12-28', '1998-12-27'])
  assert.deepEqual(daysOf('FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=4', '1997-03-13'), [
    '1997-03-13',
    '1997-03-20',
    '1997-03-27',
    '1998-03-05',
  ])
  assert.deepEqual(daysOf('FREQ=YEARLY;BYMONTHDAY=10;COUNT=3', '1997-11-10'), [
    '1997-11-10',
    '1997-12-10',
    '1998-01-10',
  ])
  // US presidential elections.
  const elections = 'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8'
  assert.deepEqual(daysOf(elections, '1996-11-05', '2004-12-01'), [
    '1996-11-05',
    '2000-11-07',
    '2004-11-02',
    '2008-11-04',
  ])
})

test('UNTIL is inclusive, and excluded dates count only towards COUNT', () => {
  assert.deepEqual(daysOf('FREQ=WEEKLY', '2026-06-01', '2026-06-08'), [
    '2026-06-01',
    '2026-06-08',
    '2026-06-15',
  ])
  assert.deepEqual(daysOf('FREQ=WEEKLY', '2026-06-01', '2026-09-01', '2026-06-08'), [
    '2026-06-01',
    '2026-06-08',
  ])
  assert.deepEqual(daysOf('FREQ=WEEKLY', '2027-06-01', '2026-09-01'), ['2027-06-01'])
  assert.deepEqual(daysOf('FREQ=YEARLY', '2020-02-29', '2026-06-01'), [
    '2020-02-29',
    '2024-02-29',
    '2028-02-29',
  ])
  const rule = readRule('FREQ=DAILY;COUNT=3')!
  const out = new Set(['2026-06-01', '2026-06-02'])
  const bounds = { most: 9, last: null, today: '2026-07-01', isOut: (day: string) => out.has(day) }
  assert.deepEqual(daysOfRule(rule, '2026-06-01', bounds), ['2026-06-03'])
  const next = { ...bounds, today: '2026-05-31' }
  assert.deepEqual(daysOfRule(readRule('FREQ=DAILY')!, '2026-06-01', next), ['2026-06-03'])
})

test('a search without a result ends, also at the last possible date', () => {
  for (const first of ['0001-01-01', '1997-01-01', '9999-12-31'])
    for (const rule of ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'])
      assert.deepEqual(daysOf(rule, first, '2026-06-01'), [first], `${rule} ${first}`)
  assert.equal(daysOf('FREQ=DAILY', '1997-01-01', '2026-06-01').length, 366)
  assert.deepEqual(daysOf('FREQ=YEARLY;INTERVAL=999', '9000-01-01', '2026-06-01'), ['9000-01-01'])
})
