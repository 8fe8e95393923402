// Bytes to contents (spec section 2): encodings, tables, documents, calendars, archives, and the reasons of refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { type CalendarPart, eventsOf } from '../../server/services/imports/content/calendar.ts'
import type { Content, Table, Unreadable } from '../../server/services/imports/content/content.ts'
import { decode } from '../../server/services/imports/content/decode.ts'
import { partsOf } from '../../server/services/imports/content/kind.ts'
import { walkMarkup } from '../../server/services/imports/content/markup.ts'
import { type WorkbookCell, workbook } from './workbook.ts'
import { asZip64 } from './zip64.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))

async function contentsOf(given: string | Uint8Array): Promise<Content[]> {
  const opened = partsOf(typeof given === 'string' ? bytesOf(given) : given).map((open) => open())
  return (await Promise.all(opened)).flat()
}
async function tableOf(given: string | Uint8Array): Promise<Table> {
  const [content, ...rest] = await contentsOf(given)
  assert.equal(content?.kind, 'table', JSON.stringify(content))
  assert.deepEqual(rest, [])
  return content as Table
}
const cellsOf = ({ rows }: Table) => [...rows].map(({ cells }) => cells)
async function refusalOf(given: string | Uint8Array): Promise<Unreadable> {
  const [content] = await contentsOf(given)
  assert.equal(content?.kind, 'unreadable', JSON.stringify(content))
  return content as Unreadable
}

test('encodings are detected by mark, UTF-16 pattern, UTF-8, declaration, else windows-1252', () => {
  const text = 'Köln, Żary'
  const le = new Uint8Array(new Uint16Array([...text].map((sign) => sign.charCodeAt(0))).buffer)
  const be = le.map((_, i) => le[i ^ 1]!)
  assert.equal(decode(bytesOf(`\ufeff${text}`)), text)
  assert.equal(decode(Uint8Array.of(0xff, 0xfe, ...le)), text)
  assert.equal(decode(Uint8Array.of(0xfe, 0xff, ...be)), text)
  assert.equal(decode(le), text)
  assert.equal(decode(be), text)
  assert.equal(decode(bytesOf(text)), text)
  assert.equal(decode(latin1('K\xf6ln \x80 \x93x\x94')), 'Köln € “x”')
  assert.equal(decode(latin1('<meta charset="iso-8859-2">\xafary')), '<meta charset="iso-8859-2">Żary')
  assert.equal(decode(latin1('<?xml encoding="no-such-thing"?>\xf6')), '<?xml encoding="no-such-thing"?>ö')
})

test('byte order marks inside a text and non-breaking blanks are replaced', async () => {
  assert.equal(decode(bytesOf('a\u00a0b')), 'a b')
  const table = await tableOf('"\ufeffDate",From\n2020-01-01,\u00a0CPH\u00a0\n')
  assert.deepEqual(table.headings, ['Date', 'From'])
  assert.deepEqual(cellsOf(table), [['2020-01-01', 'CPH']])
})

test('doubly encoded UTF-8 is repaired only if the whole text can be', () => {
  const twice = (text: string) => bytesOf(new TextDecoder('windows-1252').decode(bytesOf(text)))
  assert.equal(decode(twice('København – Málaga €')), 'København – Málaga €')
  // With one real letter outside windows-1252, the rest may be intended.
  assert.equal(decode(bytesOf('KÃ¸benhavn Ż')), 'KÃ¸benhavn Ż')
  assert.equal(decode(bytesOf('KÃ¸benhavn, Köln')), 'KÃ¸benhavn, Köln')
})

test('the delimiter is the one on which most lines agree, outside quotes', async () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const lines = ['Date', 'From', 'To'].join(delimiter)
    const table = await tableOf(`${lines}\n2020-01-01${delimiter}CPH${delimiter}"a,b;c,d;e|f,g"\n`)
    assert.equal(table.delimiter, delimiter)
  }
  const decimal = await tableOf('Date;Hours;From;To\n2020-01-01;1,5;CPH;ARN\n2020-01-02;2,5;ARN;CPH\n')
  assert.equal(decimal.delimiter, ';')
})

test('Excel’s sep= line sets the delimiter and is removed', async () => {
  const table = await tableOf('sep=|\r\nDate|Note\r\n2020-01-01|a;b;c;d;e;f\r\n')
  assert.deepEqual([table.delimiter, table.headings], ['|', ['Date', 'Note']])
  assert.deepEqual([...table.rows], [{ cells: ['2020-01-01', 'a;b;c;d;e;f'], line: 3 }])
})

test('quotes, cells over several lines, mixed line ends and blank lines keep their line numbers', async () => {
  const table = await tableOf(
    '\n\r\nDate,Note,To\n2020-01-01,"He said ""hi"", twice",CPH\r2020-01-02,"two\r\nlines",ARN\r\n\r\n,,\n2020-01-03, "blank before" ,OSL',
  )
  assert.deepEqual(
    [...table.rows],
    [
      { cells: ['2020-01-01', 'He said "hi", twice', 'CPH'], line: 4 },
      { cells: ['2020-01-02', 'two\r\nlines', 'ARN'], line: 5 },
      { cells: ['2020-01-03', 'blank before', 'OSL'], line: 9 },
    ],
  )
  assert.equal([...table.rows].length, 3, 'rows can be iterated again')
})

test('short rows are filled, long rows keep all cells', async () => {
  const table = await tableOf('Date,From,To\n2020-01-01,CPH\n2020-01-02,CPH,ARN,5,755\n')
  assert.deepEqual(cellsOf(table), [
    ['2020-01-01', 'CPH', ''],
    ['2020-01-02', 'CPH', 'ARN', '5', '755'],
  ])
})

test('bad quoting is repaired so that the number of cells fits the heading', async () => {
  const table = await tableOf(
    [
      'Date,Note,To',
      '2020-01-01,"a "quoted" word",CPH',
      '2020-01-02,"first "one", second",ARN',
      '2020-01-03,6" of snow,OSL',
      '2020-01-04,"never closed,BGO',
      '"2020-01-05","x "a","b" y","HEL"',
      '2020-01-06,"fine",TRD',
    ].join('\n'),
  )
  const rows = [...table.rows]
  assert.deepEqual(
    rows.map(({ cells }) => cells),
    [
      ['2020-01-01', 'a "quoted" word', 'CPH'],
      ['2020-01-02', 'first "one", second', 'ARN'],
      ['2020-01-03', '6" of snow', 'OSL'],
      ['2020-01-04', 'never closed', 'BGO'],
      ['2020-01-05', 'x "a","b" y', 'HEL'],
      ['2020-01-06', 'fine', 'TRD'],
    ],
  )
  const warned = rows.map(({ warnings }) => warnings?.map(({ code }) => code).join() ?? '')
  assert.deepEqual(warned, [...Array(5).fill('bad_quoting'), ''])
})

test('JSON in unescaped quotes is one cell', async () => {
  const table = await tableOf(
    '"date","from","note"\n"2020-01-01","{"icao":"EKCH"\\,"name":"Copenhagen"}","x"\n',
  )
  assert.deepEqual(cellsOf(table), [['2020-01-01', '{"icao":"EKCH"\\,"name":"Copenhagen"}', 'x']])
})

test('a table may have titles above its heading, or no heading', async () => {
  const titled = await tableOf('My flights\nExported,today\n\nDate,From,To,Airline\n2020-01-01,CPH,ARN,SK\n')
  assert.deepEqual(titled.headings, ['Date', 'From', 'To', 'Airline'])
  assert.deepEqual(titled.preamble, ['My flights', 'Exported,today'])
  const bare = await tableOf('2020-01-01,CPH,ARN\n2020-01-02,ARN,CPH\n')
  assert.deepEqual(bare.headings, ['Column 1', 'Column 2', 'Column 3'])
  assert.equal(cellsOf(bare).length, 2)
})

test('headings are compared without case and accents', async () => {
  const { folded } = await tableOf('Gate Départ (Prévu),  FLIGHT_Number ,Straße №\nx,y,z\n')
  assert.deepEqual(folded, ['gate depart prevu', 'flight number', 'straße no'])
})

test('the kind of a file is recognised by its content', async () => {
  const kinds: [string, string][] = [
    ['\ufeff\n BEGIN:VCALENDAR\n', 'calendar'],
    ['  {"flights": []}', 'json'],
    ['[1]', 'json'],
    ['<!DOCTYPE html><p>x', 'html'],
    ['<!-- saved --><TABLE><tr>', 'html'],
    ['<?xml version="1.0"?><gpx version="1.1">', 'xml'],
    ['user:\nx\ntrips:\nOwnership.MINE;a;b\n', 'text'],
    ['AXXX001\nHFDTE150720\nB1101355206343N00006198WA0058700558\n', 'text'],
    ['flights:\n  - date: 2020-01-01\n    from: CPH\n', 'json'],
    ['---\nusers: []\n', 'json'],
    ['just one line of prose', 'text'],
  ]
  for (const [text, kind] of kinds) assert.equal((await contentsOf(text))[0]?.kind, kind, text)
  const [xml] = await contentsOf('<!DOCTYPE kml [<!ENTITY a "b">]><KML xmlns="x"><a/>')
  assert.deepEqual(xml?.kind === 'xml' && xml.root, 'kml')
})

test('unreadable files are refused with the reason', async () => {
  const said: [string | Uint8Array, RegExp][] = [
    ['%PDF-1.7 …', /PDF/],
    [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10), /picture is damaged/],
    [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), /picture is damaged/],
    ['GIF89a', /picture is damaged/],
    ['RIFFxxxxWEBPVP8', /picture is damaged/],
    [latin1('\0\0\0\x18ftypheic'), /HEIC/],
    [Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), /old Excel/],
    [Uint8Array.of(0x1f, 0x8b, 8), /gzip/],
    ['', /empty/],
    ['  \n\n ', /empty/],
    [Uint8Array.from({ length: 300 }, (_, i) => (i * 37) % 256), /not a text/],
  ]
  for (const [bytes, reason] of said) {
    const { excerpt, reason: code } = await refusalOf(bytes)
    assert.match(excerpt, reason)
    assert.equal(code, 'unreadable_file')
  }
})

test('mails are recognised by their headers, split per message, and keep their own date when forwarded', async () => {
  const head = 'From: Ada <a@example.org>\nDate: Mon, 16 Nov 2026 23:30:00 -0500\n'
  const described = async (text: string) =>
    (await contentsOf(text)).map((content) =>
      content.kind === 'mail'
        ? [
            content.date,
            content.from,
            content.subject,
            content.excerpt,
            content.contents.map(({ kind }) => kind),
          ]
        : content.kind,
    )
  assert.deepEqual(await described(`${head}\nHi`), [['2026-11-16', 'Ada', '', 'Hi', []]])
  assert.deepEqual(await described('Received: from x\n by y\nSubject: =?utf-8?q?z=C3=A6?=\n\n'), [
    [null, '', 'zæ', '', []],
  ])
  const box = `From a@example.org Mon Nov 16 00:00:00 2026\n${head}\nOne\n\nFrom - Mon Nov 16 00:00:00 2026\n${head}\nTwo\n>From three\n`
  assert.deepEqual(await described(box), [
    ['2026-11-16', 'Ada', '', 'One', []],
    ['2026-11-16', 'Ada', '', 'Two\nFrom three', []],
  ])
  const html = `${head}Content-Type: text/html\n\n<p>Hi</p>`
  const outer = `From: Bo <b@example.org>\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\n${html}`
  assert.deepEqual(await described(outer), [[null, 'Bo', '', '', ['mail']]])
  assert.deepEqual(await described(html), [['2026-11-16', 'Ada', '', 'Hi', ['html']]])
})

test('JSON and YAML that are broken, too deep or full of aliases are refused', async () => {
  assert.match((await refusalOf('{"a": ')).excerpt, /not valid JSON.*\n\{"a":/s)
  assert.match((await refusalOf('['.repeat(100_000))).excerpt, /nested more than 100/)
  assert.match((await refusalOf(`{"a":"\\"[[[","b":${'['.repeat(101)}`)).excerpt, /nested/)
  assert.equal(
    (await contentsOf(`["${'['.repeat(500)}"]`))[0]?.kind,
    'json',
    'brackets in a text do not count',
  )
  assert.match((await refusalOf('flights:\n  - a: [1\n')).excerpt, /not valid YAML/)
  const laughs = Array.from({ length: 12 }, (_, i) =>
    i === 0
      ? 'a0: &a0 [x,x,x,x,x,x,x,x,x]'
      : `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join()}]`,
  )
  assert.match((await refusalOf(`---\n${laughs.join('\n')}\n`)).excerpt, /YAML/)
  assert.match(
    (
      await refusalOf(
        `---\nx:\n${Array.from({ length: 300 }, (_, i) => `${' '.repeat(i + 1)}k:`).join('\n')}\n`,
      )
    ).excerpt,
    /nested/,
  )
})

test('markup is read as events, without expanding its own entities and with a nesting limit', () => {
  const seen: string[] = []
  const whole = walkMarkup('<p title="a &amp; b">x &lt; y<br>z</P>', 'html', {
    open: (name, attributes) => void seen.push(`<${name} ${JSON.stringify(attributes)}>`),
    text: (text) => void seen.push(text),
    close: (name) => void seen.push(`</${name}>`),
  })
  assert.equal(whole, true)
  assert.deepEqual(seen, ['<p {"title":"a & b"}>', 'x < y', '<br {}>', '</br>', 'z', '</p>'])
  const texts: string[] = []
  const bomb = `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]><x>${'&b;'.repeat(1000)}</x>`
  walkMarkup(bomb, 'xml', { text: (part) => void texts.push(part) })
  assert.equal(texts.at(-1)?.replace(']>', ''), '&b;'.repeat(1000))
  for (const form of ['html', 'xml'] as const)
    assert.equal(walkMarkup('<div>'.repeat(100_000), form, {}), false)
})

test('calendars are read as events with unfolded properties and a raw text for broken parts', () => {
  const parts: CalendarPart[] = [
    ...eventsOf(
      [
        'BEGIN:VCALENDAR',
        'X-WR-TIMEZONE:Europe/Berlin',
        'BEGIN:VTIMEZONE',
        'TZID:Europe/Berlin',
        'END:VTIMEZONE',
        'BEGIN:VEVENT',
        'UID:item-1@example.org',
        'SUMMARY:IB3170 MAD to ',
        ' LHR\\, late',
        'DTSTART;TZID=Europe/Madrid:20250901T075000',
        'DTEND:20250901T082000Z',
        'this is no property',
        'BEGIN:VALARM',
        'DESCRIPTION:not of the event',
        'END:VALARM',
        'DESCRIPTION:first\\nsecond',
        'END:VEVENT',
        'BEGIN:VEVENT',
        'DTSTART;VALUE=DATE:20250902',
      ].join('\r\n'),
    ),
  ]
  const [first, second] = parts.map(({ event }) => event)
  const text = (name: string) => first!.properties.get(name)?.map((value) => value.text)
  assert.deepEqual(text('summary'), ['IB3170 MAD to LHR, late'])
  assert.deepEqual(text('dtend'), ['2025-09-01T08:20:00Z'])
  assert.deepEqual(text('description'), ['first\nsecond'])
  assert.deepEqual(first!.properties.get('dtstart'), [
    { text: '2025-09-01T07:50:00', type: 'date-time', parameters: { tzid: 'Europe/Madrid' } },
  ])
  assert.match(first!.raw, /this is no property/)
  assert.deepEqual([first!.line, first!.cut, second!.line, second!.cut], [6, false, 18, true])
  assert.equal(parts[0]!.calendar.get('x-wr-timezone')?.[0]?.text, 'Europe/Berlin')
  assert.equal(parts[0]!.calendar.has('tzid'), false)
})

test('members of an archive are read separately, without files that systems add', async () => {
  const archive = zipSync({
    'a/flights.csv': strToU8('Date,From,To\n2020-01-01,CPH,ARN\n'),
    'b.json': strToU8('{"x": 1}'),
    'c.bin': Uint8Array.from({ length: 300 }, (_, i) => (i * 37) % 256),
    '__MACOSX/._b.json': strToU8('junk'),
    '.DS_Store': strToU8('junk'),
    'empty/': new Uint8Array(),
  })
  const contents = await contentsOf(archive)
  assert.deepEqual(
    contents.map(({ kind, part }) => [kind, part]),
    [
      ['table', 'a/flights.csv'],
      ['json', 'b.json'],
      ['unreadable', 'c.bin'],
    ],
  )
  const map = zipSync({ 'doc.kml': strToU8('<kml><Document/></kml>'), 'files/icon.png': strToU8('\x89PNG') })
  assert.deepEqual(
    (await contentsOf(map)).map(({ kind, part }) => [kind, part]),
    [['xml', 'doc.kml']],
  )
  const pass = zipSync({ 'pass.json': strToU8('{}') })
  const kinds = async (bytes: Uint8Array) => (await contentsOf(bytes)).map(({ kind, part }) => [kind, part])
  assert.deepEqual(await kinds(pass), [['pass', null]])
  const passes = zipSync({ 'a.pkpass': pass, 'b.pkpass': pass })
  assert.deepEqual(await kinds(passes), [
    ['pass', 'a.pkpass'],
    ['pass', 'b.pkpass'],
  ])
  const collection = zipSync({ 'trip.pkpasses': passes, 'c.pkpass': strToU8('no archive') })
  assert.deepEqual(await kinds(collection), [
    ['pass', 'trip.pkpasses: a.pkpass'],
    ['pass', 'trip.pkpasses: b.pkpass'],
    ['text', 'c.pkpass'],
  ])
  const nested = zipSync({ 'in.zip': zipSync({ 'x.csv': strToU8('a,b\n') }) })
  assert.match((await refusalOf(nested)).excerpt, /inside a zip archive/)
})

test('an unclosed quote loses no cell of its row and no row before the next quote', async () => {
  const lines = ['Date,From,Note', '"2024-05-04,CPH,a', '2024-05-05,OSL,b', '2024-05-06,ARN,27"']
  const table = await tableOf(lines.join('\n'))
  assert.deepEqual(cellsOf(table), [
    ['2024-05-04', 'CPH', 'a'],
    ['2024-05-05', 'OSL', 'b'],
    ['2024-05-06', 'ARN', '27"'],
  ])
  // A cell may continue over several lines, also in a row that ends early.
  const short = await tableOf('Date,Note,From,To\n2024-05-04,"one\ntwo, three"\n2024-05-05,x,CPH,ARN\n')
  assert.deepEqual(cellsOf(short), [
    ['2024-05-04', 'one\ntwo, three', '', ''],
    ['2024-05-05', 'x', 'CPH', 'ARN'],
  ])
  // Also if its first line has as many delimiters as the heading: the following text is not a row.
  const likely = await tableOf('Date,From,To,Note,Seat\n2024-05-04,CPH,LHR,"rain, late\nsecond line"\n')
  assert.deepEqual(cellsOf(likely), [['2024-05-04', 'CPH', 'LHR', 'rain, late\nsecond line', '']])
})

test('workbooks give every sheet with a table, with dates, clocks, durations and whole numbers', async () => {
  const bytes = workbook([
    { name: 'Cover', rows: [[{ text: 'My flights' }]] },
    {
      name: 'Log',
      rows: [
        [{ text: 'All my flights' }],
        [],
        [{ text: 'Date' }, { text: 'Flight' }, { text: 'Dep' }, { text: 'Block' }, { text: 'Seen' }],
        [{ date: 45000 }, { number: '132.0' }, { time: 0.5 + 1 / 1440 }, { time: 1.25 }, { date: 45000.75 }],
        [{ number: '45001' }, { number: '7E2' }, { text: ' 09:30 ' }],
      ],
    },
    {
      name: 'More',
      rows: [
        [{ text: 'From' }, { text: 'To' }],
        [{ text: 'CPH' }, { text: 'ARN' }],
      ],
    },
  ])
  const contents = (await contentsOf(bytes)) as Table[]
  assert.deepEqual(
    contents.map(({ kind, form, part }) => [kind, form, part]),
    [
      ['table', 'sheet', 'Log'],
      ['table', 'sheet', 'More'],
    ],
  )
  const [log] = contents
  assert.deepEqual(log!.headings, ['Date', 'Flight', 'Dep', 'Block', 'Seen'])
  assert.deepEqual(log!.preamble, ['All my flights'])
  assert.deepEqual(
    [...log!.rows],
    [
      { cells: ['2023-03-15', '132', '12:01:00', '30:00:00', '2023-03-15 18:00:00'], line: 4 },
      { cells: ['45001', '700', '09:30', '', ''], line: 5 },
    ],
  )
})

test('workbooks of the 1904 date system have the right dates', async () => {
  const rows = [
    [{ text: 'Date' }, { text: 'Dep' }, { text: 'From' }],
    [{ date: 45000 - 1462 }, { time: 0.25 }, { text: 'CPH' }],
    [{ number: String(45000 - 1462) }, { time: 0.25 }, { text: 'CPH' }],
  ]
  const table = await tableOf(workbook([{ name: 'Log', rows }], { since1904: true }))
  assert.deepEqual(cellsOf(table), [
    ['2023-03-15', '06:00:00', 'CPH'],
    ['45000', '06:00:00', 'CPH'],
  ])
})

test('workbooks lose an unreadable cell, not the rest', async () => {
  const date = { date: 45000 }
  const xml = (cell: string) => ({ xml: cell })
  const rowsBy: [string, WorkbookCell[]][] = [
    ['a text that the table of texts does not have', [xml('<c r="@" t="s"><v>9</v></c>')]],
    ['a date that is no number', [xml('<c r="@" s="1"><v>soon</v></c>')]],
    ['a format that is not there', [xml('<c r="@" s="77"><v>45000</v></c>')]],
    ['a kind that is not known', [xml('<c r="@" t="zz"><v>2024-05-05 &amp; on</v></c>')]],
    ['a truth that is none', [xml('<c r="@" t="b"><v>perhaps</v></c>')]],
    ['a date as text, and midnight', [xml('<c r="@" t="d"><v>2024-05-05T00:00:00.000</v></c>')]],
    ['a date with a clock as text', [xml('<c r="@" t="d"><v>2024-05-05T07:50:00Z</v></c>')]],
    ['a formula with an error', [xml('<c r="@" t="e"><v>#N/A</v></c>')]],
  ]
  const heading = [{ text: 'Date' }, { text: 'From' }, { text: 'To' }]
  const route = [{ text: 'CPH' }, { text: 'ARN' }]
  const rows = [heading, [date, ...route], ...rowsBy.map(([, cells]) => [...cells, ...route])]
  const table = await tableOf(workbook([{ name: 'Log', rows }]))
  assert.deepEqual(
    cellsOf(table).map(([first]) => first),
    [
      '2023-03-15',
      '9',
      'soon',
      '45000',
      '2024-05-05 & on',
      'perhaps',
      '2024-05-05',
      '2024-05-05 07:50:00',
      '',
    ],
  )
  for (const [, ...rest] of cellsOf(table)) assert.deepEqual(rest, ['CPH', 'ARN'])
})

test('workbooks accept cells without a reference, out of order, and sheets that are only charts', async () => {
  const cell = (text: string, place = '') => ({
    xml: `<c${place} t="inlineStr"><is><r><t>${text}</t></r><rPh><t>said</t></rPh></is></c>`,
  })
  const rows = [
    [cell('Date'), cell('From'), cell('To')],
    [cell('ARN', ' r="C2"'), cell('2024-05-05', ' r="A2"'), cell('CPH', ' r="B2"')],
  ]
  const table = await tableOf(workbook([{ name: 'Log', rows }], { hasChart: true }))
  assert.deepEqual(table.headings, ['Date', 'From', 'To'])
  assert.deepEqual(cellsOf(table), [['2024-05-05', 'CPH', 'ARN']])
  const charted = workbook([{ name: 'Log', rows: [[{ text: 'a' }, { text: 'b' }]] }], { hasChart: true })
  assert.deepEqual((await tableOf(charted)).part, 'Log')
})

test('a broken workbook is refused as one record', async () => {
  const broken = zipSync({ 'xl/workbook.xml': strToU8('<workbook') })
  assert.match((await refusalOf(broken)).excerpt, /workbook cannot be read/)
  const prose = workbook([{ name: 'Notes', rows: [[{ text: 'Nothing here' }]] }])
  assert.match((await refusalOf(prose)).excerpt, /No sheet/)
})

test('zip64 archives of streaming writers and large ones are read', async () => {
  const plain = zipSync({
    'a.csv': strToU8('Date,From,To\n2024-05-05,CPH,ARN\n'),
    'b.csv': strToU8('Date,From\n'),
  })
  const tables = (await contentsOf(asZip64(plain))) as Table[]
  assert.deepEqual(
    tables.map(({ kind, part }) => [kind, part]),
    [
      ['table', 'a.csv'],
      ['table', 'b.csv'],
    ],
  )
  assert.deepEqual(cellsOf(tables[0]!), [['2024-05-05', 'CPH', 'ARN']])
  const lost = asZip64(plain)
  // The position of the directory, beyond the end of the file.
  new DataView(lost.buffer).setBigUint64(lost.length - 22 - 20 + 8, 2n ** 60n, true)
  assert.match((await refusalOf(lost)).excerpt, /damaged/)
})
