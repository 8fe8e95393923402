// Mails and calendars through the API: the verdict of every record, with the instants of departure and arrival. The
// expectations were written manually; times are UTC. “Today” is 15 June 2026.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipSync } from 'fflate'
import { airportIds, logFlight } from '../fixtures.ts'
import { onBothEngines, onSqlite, type TestApp, testOnSqlite } from '../harness.ts'
import { type Row, readImport, written } from './judged.ts'
import {
  calendar,
  event,
  message,
  multipart,
  page,
  part,
  passText,
  reservation,
  script,
  toCopenhagen,
} from './mails-made.ts'
import { pkpassOf } from './wallet.ts'

interface Case {
  file: (name: string) => string | Buffer
  rows: string[]
  source?: string
  options?: Record<string, unknown>
}

const mail = (html: string): string => message(page(html))
const booked = (more: object = {}, flight: object = {}) => ({
  file: (name: string) => mail(script(reservation(name, { ...more }, { ...flight }))),
})
const SK1416 = '2026-07-01 EKCH>ESSA SK1416 SAS - - 2026-07-01T07:20Z 2026-07-01T08:30Z'
const SK1416_DAY = '2026-07-01 EKCH>ESSA SK1416 SAS - - - -'
const SK1417 = '2026-07-01 ESSA>EKCH SK1417 SAS - - 2026-07-01T07:20Z 2026-07-01T08:30Z'
const SK910 = '2026-07-01 KEWR>EKCH SK910 SAS - - 2026-07-01T22:00Z 2026-07-02T05:40Z'

/** A reservation in which only the bar code names the flight. */
const ticket = (name: string, reservationStatus: string) => ({
  ...reservation(name),
  reservationFor: undefined,
  reservedTicket: { ticketToken: `aztecCode:${passText(asOnTicket(name))}` },
  reservationStatus,
})

const times = ['DTSTART:20260701T072000Z', 'DTEND:20260701T083000Z']
const invitation = calendar([event('UID:booking-1@nordic.example', ...times, 'SUMMARY:SK1416 CPH-ARN')])
const pass = (name: string) =>
  Buffer.from(
    pkpassOf(
      JSON.stringify({
        formatVersion: 1,
        passTypeIdentifier: 'pass.example.air',
        serialNumber: 'M1',
        relevantDate: '2026-07-01T08:50+02:00',
        barcodes: [
          {
            format: 'PKBarcodeFormatAztec',
            message: passText(asOnTicket(name)),
            messageEncoding: 'iso-8859-1',
          },
        ],
        boardingPass: { transitType: 'PKTransitTypeAir' },
      }),
    ),
  )
/** `Person 3` is written `3/PERSON`. */
const asOnTicket = (name: string): string => name.toUpperCase().split(' ').reverse().join('/')

const microdata = (name: string, status = 'ReservationConfirmed'): string => `
  <div itemscope itemtype="https://schema.org/FlightReservation">
    <meta itemprop="reservationNumber" content="ABC123"><link itemprop="reservationStatus" href="https://schema.org/${status}">
    <div itemprop="underName" itemscope itemtype="https://schema.org/Person"><b itemprop="name">${name}</b></div>
    <div itemprop="reservationFor" itemscope itemtype="https://schema.org/Flight">
      <meta itemprop="flightNumber" content="SK 1416">
      <span itemprop="departureAirport" itemscope itemtype="https://schema.org/Airport"><meta itemprop="iataCode" content="CPH"></span>
      <span itemprop="arrivalAirport" itemscope itemtype="https://schema.org/Airport"><meta itemprop="iataCode" content="ARN"></span>
      <time itemprop="departureTime" datetime="2026-07-01T09:20">9:20</time>
      <meta itemprop="arrivalTime" content="2026-07-01T10:30">
    </div>
  </div>`

const forwarded = (code: string): string =>
  message(
    multipart('mixed', [
      part('text/plain', 'See below.'),
      part(
        'message/rfc822',
        message(
          multipart(
            'mixed',
            [
              page('<p>x</p>'),
              part('text/plain', code, 'Content-Disposition: attachment; filename="pass.txt"'),
            ],
            'b2',
          ),
          { date: 'Sat, 14 Jun 2025 08:00:00 +0200' },
        ),
      ),
    ]),
  )

/** As written by mail programs, in the languages of the app. */
const forwardedInline: Record<string, string[]> = {
  Gmail: [
    '---------- Forwarded message ---------',
    'From: Nordic Air <booking@nordic.example>',
    'Date: Wed, Jun 12, 2024 at 9:15 AM',
    'Subject: Your boarding pass',
    'To: <nora@example.org>',
  ],
  'Gmail in German': [
    '---------- Forwarded message ---------',
    'Von: Nordic Air <booking@nordic.example>',
    'Date: Mi., 12. Juni 2024 um 09:15 Uhr',
    'Subject: Your boarding pass',
    'To: <nora@example.org>',
  ],
  Outlook: [
    '-----Original Message-----',
    'From: Nordic Air <booking@nordic.example>',
    'Sent: Wednesday, June 12, 2024 9:15 AM',
    'To: Nora Lindqvist',
    'Subject: Your boarding pass',
  ],
  'Outlook in German': [
    '-----Ursprüngliche Nachricht-----',
    'Von: Nordic Air [mailto:booking@nordic.example]',
    'Gesendet: Mittwoch, 12. Juni 2024 09:15',
    'An: Nora Lindqvist',
    'Betreff: Ihre Bordkarte',
  ],
  'Outlook without a line above': [
    '________________________________',
    '*Von:* Nordic Air <booking@nordic.example>',
    '*Gesendet:* Mittwoch, 12. Juni 2024 09:15',
    '*An:* Nora Lindqvist',
    '*Betreff:* Ihre Bordkarte',
  ],
  'Outlook with numbers': [
    'From: Nordic Air <booking@nordic.example>',
    'Sent: 6/12/2024 9:15 AM',
    'To: Nora Lindqvist',
    'Subject: Your boarding pass',
  ],
  'Apple Mail': [
    'Begin forwarded message:',
    '',
    'From: Nordic Air <booking@nordic.example>',
    'Subject: Your boarding pass',
    'Date: 12 June 2024 at 09:15:00 CEST',
    'To: Nora Lindqvist <nora@example.org>',
  ],
  'Apple Mail in German': [
    'Anfang der weitergeleiteten Nachricht:',
    '',
    '> Von: Nordic Air <booking@nordic.example>',
    '> Betreff: Ihre Bordkarte',
    '> Datum: 12. Juni 2024 um 09:15:00 MESZ',
    '> An: Nora Lindqvist <nora@example.org>',
  ],
  Thunderbird: [
    '-------- Forwarded Message --------',
    'Subject: \tYour boarding pass',
    'Date: \tWed, 12 Jun 2024 09:15:00 +0200',
    'From: \tNordic Air <booking@nordic.example>',
    'To: \tNora Lindqvist <nora@example.org>',
  ],
  'Thunderbird in German': [
    '-------- Weitergeleitete Nachricht --------',
    'Betreff: \tIhre Bordkarte',
    'Datum: \tWed, 12 Jun 2024 09:15:00 +0200',
    'Von: \tNordic Air <booking@nordic.example>',
    'An: \tNora Lindqvist <nora@example.org>',
  ],
  'a web mailer in German': [
    'Gesendet: Mittwoch, 12. Juni 2024 um 09:15 Uhr',
    'Von: "Nordic Air" <booking@nordic.example>',
    'An: nora@example.org',
    'Betreff: Ihre Bordkarte',
  ],
  'Outlook in French': [
    'De : Nordic Air <booking@nordic.example>',
    'Envoyé : mercredi 12 juin 2024 09:15',
    'À : Nora Lindqvist',
    'Objet : Votre carte d’embarquement',
  ],
  'Outlook in Spanish': [
    'De: Nordic Air <booking@nordic.example>',
    'Enviado el: miércoles, 12 de junio de 2024 9:15',
    'Para: Nora Lindqvist',
    'Asunto: Tu tarjeta de embarque',
  ],
  'Gmail in Spanish': [
    '---------- Forwarded message ---------',
    'De: Nordic Air <booking@nordic.example>',
    'Date: mié, 12 jun 2024 a las 9:15',
    'Subject: Tu tarjeta de embarque',
    'To: <nora@example.org>',
  ],
  'Apple Mail in Italian': [
    'Inizio messaggio inoltrato:',
    '',
    '> Da: Nordic Air <booking@nordic.example>',
    '> Oggetto: La tua carta d’imbarco',
    '> Data: 12 giugno 2024 alle ore 09:15:00 CEST',
    '> A: Nora Lindqvist <nora@example.org>',
  ],
  'Outlook in Italian': [
    'Da: Nordic Air <booking@nordic.example>',
    'Inviato: mercoledì 12 giugno 2024 09:15',
    'A: Nora Lindqvist',
    'Oggetto: La tua carta d’imbarco',
  ],
  'a web mailer with numbers': [
    'Von: "Nordic Air" <booking@nordic.example>',
    'Datum: 12.06.2024 09:15',
    'Betreff: Ihre Bordkarte',
  ],
}
/** Labels are bold in pages. */
const asHtml = (line: string): string =>
  line
    .replaceAll('<', '&lt;')
    .replaceAll('\t', '&nbsp;')
    .replace(/^([\w>* ]+:)/, '<b>$1</b>')

/** A mail of 2026 with a boarding pass that has no year. */
const inline = (body: string): string =>
  message(
    multipart('mixed', [
      body,
      part('text/plain', passText('LINDQVIST/NORA'), 'Content-Disposition: attachment; filename="pass.txt"'),
    ]),
  )

const mails: Record<string, Case> = {
  'one booking': { ...booked(), rows: [`new ${SK1416}`] },
  'times without offset are the airport’s': {
    ...booked({}, { departureTime: '2026-07-01T09:20:00', arrivalTime: '2026-07-01T10:30:00' }),
    rows: [`new ${SK1416}`],
  },
  'a day only': {
    ...booked({}, { departureTime: '2026-07-01', arrivalTime: '2026-07-01' }),
    rows: ['new 2026-07-01 EKCH>ESSA SK1416 SAS - - - -'],
  },
  'Z that is UTC': {
    ...booked(
      {},
      { ...toCopenhagen, departureTime: '2026-07-01T22:00:00Z', arrivalTime: '2026-07-02T05:40:00Z' },
    ),
    rows: [`new ${SK910}`],
  },
  'Z that means the airport’s clock': {
    ...booked(
      {},
      { ...toCopenhagen, departureTime: '2026-07-01T18:00:00Z', arrivalTime: '2026-07-02T07:40:00Z' },
    ),
    rows: [`new ${SK910} !floating_time`],
  },
  'a date in the evening west of Greenwich': {
    ...booked(
      {},
      {
        ...toCopenhagen,
        departureTime: '2026-07-01T22:00:00-04:00',
        arrivalTime: '2026-07-02T11:40:00+02:00',
      },
    ),
    rows: ['new 2026-07-01 KEWR>EKCH SK910 SAS - - 2026-07-02T02:00Z 2026-07-02T09:40Z'],
  },
  'a list, of two people on one flight': {
    file: (name) =>
      mail(
        script([
          reservation(name, { airplaneSeat: '12C' }),
          reservation('Max Lindqvist', { airplaneSeat: '12D' }),
        ]),
      ),
    rows: [`new ${SK1416}`],
  },
  'a graph of two legs': {
    file: (name) =>
      mail(
        script({
          '@context': 'https://schema.org',
          '@graph': [
            reservation(name),
            reservation(
              name,
              {},
              {
                ...toCopenhagen,
                departureTime: '2026-07-01T18:00:00-04:00',
                arrivalTime: '2026-07-02T07:40:00+02:00',
              },
            ),
          ],
        }),
      ),
    rows: [`new ${SK1416}`, `new ${SK910}`],
  },
  'entities and a comma too many': {
    file: (name) =>
      mail(script(JSON.stringify(reservation(name)).replaceAll('"', '&quot;').replace(/\}\}$/, ',}}'))),
    rows: [`new ${SK1416}`],
  },
  'what cannot be repaired': {
    file: () => mail(script('{"@type": "FlightReservation", oops')),
    rows: ['error:unreadable_row'],
  },
  microdata: { file: (name) => mail(microdata(name)), rows: [`new ${SK1416}`] },
  'microdata of a request': {
    file: (name) => mail(microdata(name, 'ReservationPending')),
    rows: [`new ${SK1416} !not_confirmed`],
  },
  'on hold': { ...booked({ reservationStatus: 'Hold' }), rows: [`new ${SK1416} !not_confirmed`] },
  'without a status': { ...booked({ reservationStatus: undefined }), rows: [`new ${SK1416} !not_confirmed`] },
  'a status that is no word of schema.org': {
    ...booked({ reservationStatus: 'Requested' }),
    rows: [`new ${SK1416} !not_confirmed`],
  },
  'a word alone, and one with a prefix': {
    file: (name) =>
      mail(
        script([
          reservation(name, { reservationStatus: 'CONFIRMED' }),
          reservation('Max Lindqvist', { reservationStatus: 'schema:ReservationConfirmed' }),
        ]),
      ),
    rows: [`new ${SK1416}`],
  },
  'the second of two people is on hold': {
    file: (name) =>
      mail(script([reservation(name), reservation('Max Lindqvist', { reservationStatus: 'Hold' })])),
    rows: [`new ${SK1416} !not_confirmed`],
  },
  'an invitation before a booking on hold that says for whom it is': {
    file: (name) =>
      message(
        multipart('mixed', [
          part('text/calendar; method=REQUEST', invitation),
          part('message/rfc822', mail(script(reservation(name, { reservationStatus: 'Hold' })))),
        ]),
      ),
    rows: [`new ${SK1416} !not_confirmed`, `duplicate:duplicate_in_file=1 ${SK1416} !not_confirmed`],
  },
  cancelled: {
    ...booked({ reservationStatus: 'https://schema.org/ReservationCancelled' }),
    rows: [`skipped:cancelled ${SK1416}`],
  },
  'a booking of another': {
    file: () => mail(script(reservation('Maria Rossi'))),
    rows: [`skipped:not_mine ${SK1416}`],
  },
  'a hotel and a flight': {
    file: (name) =>
      mail(script([{ '@context': 'http://schema.org', '@type': 'LodgingReservation' }, reservation(name)])),
    rows: ['skipped:not_a_flight', `new ${SK1416}`],
  },
  'a bar code and no flight, booked and cancelled': {
    file: (name) => mail(script([ticket(name, 'Confirmed')]) + script([ticket(name, 'Cancelled')])),
    rows: [
      `duplicate:superseded=2 ${SK1416_DAY} !year_assumed`,
      `skipped:cancelled ${SK1416_DAY} !year_assumed`,
    ],
  },
  'a bar code and no flight, on hold': {
    file: (name) => mail(script(ticket(name, 'Hold'))),
    rows: [`new ${SK1416_DAY} !not_confirmed !year_assumed`],
  },
  'the bar code of a reservation, which then needs no status': {
    file: (name) =>
      mail(
        script(
          reservation(name, {
            reservationStatus: undefined,
            underName: undefined,
            ticketToken: `aztecCode:${passText(asOnTicket(name))}`,
          }),
        ),
      ),
    rows: [`new ${SK1416}`],
  },
  'all forms of one flight': {
    file: (name) =>
      message(
        multipart('mixed', [
          multipart(
            'alternative',
            [
              part('text/plain', 'Your flight SK1416'),
              page(script(reservation(name)) + microdata(name)),
              part('text/calendar; method=REQUEST', invitation),
            ],
            'b2',
          ),
          part('application/vnd.apple.pkpass; name="pass.pkpass"', pass(name)),
          part('application/ms-tnef; name="winmail.dat"', Buffer.from('no')),
        ]),
      ),
    rows: [
      `new ${SK1416}`,
      `duplicate:duplicate_in_file=1 ${SK1416}`,
      'duplicate:duplicate_in_file=1 2026-07-01 EKCH>ESSA SK1416 SAS - - - -',
    ],
  },
  'a calendar alone': {
    file: () => message(part('text/calendar; charset=utf-8', invitation)),
    rows: [`new ${SK1416}`],
  },
  'words alone': {
    file: () =>
      message(part('text/plain', 'Your flight SK1416 from CPH to ARN leaves on 1 July 2026 at 09:20.')),
    rows: [`question:from_text ${SK1416_DAY}`],
  },
  'words in the languages of the app': {
    file: () =>
      [
        'Your flight SK 1416\nWednesday, July 1, 2026\nCopenhagen (CPH) 09:20\nStockholm (ARN) 10:30',
        'Flugnr.: SK 1416\nDatum: 02.07.2026\nVon: KOPENHAGEN DK\nNach: STOCKHOLM ARLANDA SE 10:30',
        'Votre vol SK1452 du 1 juillet 2026 de Copenhague à Oslo',
        'Vuelo SK1454, 2 de julio de 2026, de Copenhague a Oslo',
        'Volo SK1456 del 3 luglio 2026 da Copenaghen a Oslo',
      ]
        .map((text, i) => `From x ${DAYS[i]}\n${message(part('text/plain; charset=utf-8', text))}\n`)
        .join('\n'),
    rows: [
      `question:from_text ${SK1416_DAY}`,
      'question:from_text 2026-07-02 EKCH>ESSA SK1416 SAS - - - - !airport_by_name !airport_by_name',
      ...['01 EKCH>ENGM SK1452', '02 EKCH>ENGM SK1454', '03 EKCH>ENGM SK1456'].map(
        (flight) => `question:from_text 2026-07-${flight} SAS - - - - !airport_by_name !airport_by_name`,
      ),
    ],
  },
  'two flights in a page without markup, and nothing that a schedule would write': {
    file: () =>
      mail(
        '<table><tr><td>Flight SK1416</td><td>1 July 2026</td><td>CPH - ARN</td></tr>' +
          '<tr><td>Flight SK1417</td><td>4 July 2026</td><td>ARN - CPH</td></tr></table>',
      ),
    rows: [`question:from_text ${SK1416_DAY}`, 'question:from_text 2026-07-04 ESSA>EKCH SK1417 SAS - - - -'],
  },
  'a number, a day and two words that are no places': {
    file: () => message(part('text/plain', 'PR 1234: Tests - Docs\nmerged on 1 July 2026')),
    rows: ['skipped:not_a_flight 2026-07-01 ?>? PR1234 PAL - - - -'],
  },
  'a title that cancels what has no status, not what is confirmed': {
    file: (name) =>
      message(
        page(
          script([
            reservation(name),
            reservation(
              name,
              { reservationStatus: undefined },
              { ...toCopenhagen, departureTime: '2026-07-01T22:00:00Z', arrivalTime: '2026-07-02T05:40:00Z' },
            ),
          ]),
        ),
        { subject: 'Storniert: Ihr Flug SK910' },
      ),
    rows: [`new ${SK1416}`, `skipped:cancelled ${SK910}`],
  },
  'objects without a comma between them, and dates that are not ISO': {
    file: (name) =>
      mail(
        script(
          `[${[reservation(name, {}, { departureTime: '25-06-2026 09:20', arrivalTime: '25-06-2026 10:30' }), reservation(name, {}, { flightNumber: '1418', departureTime: '26-06-2026 09:20', arrivalTime: '26-06-2026 10:30' })].map((one) => JSON.stringify(one)).join('\n')}]`,
        ),
      ),
    rows: [
      'new 2026-06-25 EKCH>ESSA SK1416 SAS - - 2026-06-25T07:20Z 2026-06-25T08:30Z',
      'new 2026-06-26 EKCH>ESSA SK1418 SAS - - 2026-06-26T07:20Z 2026-06-26T08:30Z',
    ],
  },
  'an advertisement': {
    file: () => mail('<h1>CPH-ARN from 49 EUR</h1><p>Fly SK1416!</p>'),
    rows: ['skipped:not_a_flight'],
  },
  'forwarded: its own date gives the year': {
    file: () => forwarded(passText('LINDQVIST/NORA')),
    rows: ['skipped:not_mine 2025-07-01 EKCH>ESSA SK1416 SAS - - - - !year_assumed'],
  },
  ...Object.fromEntries(
    Object.entries(forwardedInline).flatMap(([program, lines]) => [
      [
        `forwarded in the text by ${program}: the original’s date gives the year`,
        {
          file: () => inline(part('text/plain; charset=utf-8', ['See below.', '', ...lines].join('\r\n'))),
          rows: ['skipped:not_mine 2024-06-30 EKCH>ESSA SK1416 SAS - - - - !year_assumed'],
        },
      ],
      [
        `forwarded in a page by ${program}`,
        {
          file: () => inline(page(`<p>See below.</p><div>${lines.map(asHtml).join('<br>')}</div>`)),
          rows: ['skipped:not_mine 2024-06-30 EKCH>ESSA SK1416 SAS - - - - !year_assumed'],
        },
      ],
    ]),
  ),
  'an itinerary in the text is no forwarded mail': {
    file: () =>
      inline(part('text/plain', 'From: Copenhagen\r\nTo: Stockholm\r\nDate: 12 June 2024\r\nSeat: 12A')),
    rows: ['skipped:not_mine 2026-07-01 EKCH>ESSA SK1416 SAS - - - - !year_assumed'],
  },
  'a forwarded date that is later than the mail is none': {
    file: () =>
      inline(part('text/plain', 'From: a@b.example\r\nDate: 12 June 2027\r\nSubject: Your booking')),
    rows: ['skipped:not_mine 2026-07-01 EKCH>ESSA SK1416 SAS - - - - !year_assumed'],
  },
  'forwarded twice: the innermost counts': {
    file: () =>
      inline(
        part(
          'text/plain',
          [
            ...forwardedInline['Gmail']!.map((line) => line.replaceAll('2024', '2025')),
            ...forwardedInline['Apple Mail']!.map((line) => `> ${line}`),
          ].join('\r\n'),
        ),
      ),
    rows: ['skipped:not_mine 2024-06-30 EKCH>ESSA SK1416 SAS - - - - !year_assumed'],
  },
  'a broken charset': {
    file: (name) =>
      message(
        part('text/html; charset=x-klingon', `<html><body>\xe6${script(reservation(name))}</body></html>`),
      ),
    rows: [`new ${SK1416}`],
  },
  'a page that was saved': {
    file: (name) => `<html><body>${script(reservation(name))}</body></html>`,
    rows: [`new ${SK1416}`],
  },
  'JSON-LD alone': { file: (name) => JSON.stringify([reservation(name)]), rows: [`new ${SK1416}`] },
  'a mailbox': {
    file: (name) =>
      [
        mail(script(reservation(name))),
        mail('<p>Hello</p>\n>From now on'),
        mail(script(reservation(name, { reservationStatus: 'Cancelled' }))),
      ]
        .map((one) => `From MAILER Mon Jun  1 10:00:00 2026\n${one.replaceAll('\r', '')}\n`)
        .join('\n'),
    rows: [`duplicate:superseded=3 ${SK1416}`, 'skipped:not_a_flight', `skipped:cancelled ${SK1416}`],
  },
  'a mailbox in an archive': {
    file: (name) =>
      Buffer.from(
        zipSync({
          'Takeout/Mail/all.mbox': Buffer.from(
            `From 1@xxx Mon Jun 01 10:00:00 +0000 2026\r\n${mail(script(reservation(name)))}`,
          ),
        }),
      ),
    rows: [`new ${SK1416}`],
  },
}

const DAYS = Array.from({ length: 5 }, (_, i) => `Mon Jun  ${i + 1} 10:00:00 2026`)

const leapDay = [
  'DTSTART;TZID=Europe/Copenhagen:20200229T092000',
  'DTEND;TZID=Europe/Copenhagen:20200229T103000',
]
const one = (...lines: string[]): string => calendar([event('UID:e1@example.org', ...lines)])
const summary = (text: string): Case => ({
  source: 'ics',
  file: () => one(...times, `SUMMARY:${text}`),
  rows: [`new ${SK1416}`],
})

const calendars: Record<string, Case> = {
  'number and codes': summary('SK1416 CPH-ARN'),
  'number, codes and a word': summary('SK 1416 CPH to ARN'),
  'an arrow before the number': summary('✈ CPH→ARN SK1416'),
  'German words': summary('Flug SK1416 CPH nach ARN'),
  'a colon after the number': summary('SK1416: CPH-ARN'),
  'codes without an arrow': summary('SK1416 CPH ARN'),
  'the route in a sentence of the description': {
    source: 'ics',
    file: () => one(...times, 'SUMMARY:Flight SK1416', 'DESCRIPTION:From CPH to ARN'),
    rows: [`new ${SK1416}`],
  },
  'a city and its code as the place, as Google writes it': {
    source: 'ics',
    file: () =>
      one('DTSTART:20260701T180000Z', 'SUMMARY:Flight to Copenhagen (SK 910)', 'LOCATION:Newark EWR'),
    rows: ['new 2026-07-01 KEWR>EKCH SK910 SAS - - 2026-07-01T18:00Z - !airport_by_name'],
  },
  'origin and destination in the description': {
    source: 'ics',
    file: () =>
      one(...times, 'SUMMARY:SK1416', 'DESCRIPTION:Origin: CPH - Copenhagen\\nDestination: ARN - Stockholm'),
    rows: [`new ${SK1416}`],
  },
  'names of places': {
    source: 'ics',
    file: () => one(...times, 'SUMMARY:Flug SK 1416 von Kopenhagen nach Arlanda'),
    rows: [
      'new 2026-07-01 EKCH>ESSA SK1416 SAS - - 2026-07-01T07:20Z 2026-07-01T08:30Z !airport_by_name !airport_by_name',
    ],
  },
  'a destination by name, an origin by code': {
    source: 'ics',
    file: () =>
      one(
        'DTSTART:20260701T180000Z',
        'SUMMARY:Flight to Copenhagen (SK 910)',
        'LOCATION:Newark Liberty (EWR)',
      ),
    rows: ['new 2026-07-01 KEWR>EKCH SK910 SAS - - 2026-07-01T18:00Z - !airport_by_name'],
  },
  'titles in French, Spanish and Italian': {
    source: 'ics',
    file: () =>
      calendar([
        event(
          'UID:fr@x',
          ...times,
          'SUMMARY:Vol pour Stockholm Arlanda (SK 1416)',
          'LOCATION:Copenhague CPH',
        ),
        event('UID:es@x', ...times, 'SUMMARY:Vuelo SK 1418 CPH a ARN'),
        event('UID:it@x', ...times, 'SUMMARY:Volo SK 1420', 'DESCRIPTION:Partenza: CPH\\nArrivo: ARN'),
        event('UID:da@x', ...times, 'SUMMARY:Volo SK 1422 da Copenaghen a Arlanda'),
      ]),
    rows: [
      `new ${SK1416} !airport_by_name`,
      `similar:similar_in_file=1 ${SK1416.replace('SK1416', 'SK1418')}`,
      `similar:similar_in_file=1 ${SK1416.replace('SK1416', 'SK1420')}`,
      `similar:similar_in_file=1 ${SK1416.replace('SK1416', 'SK1422')} !airport_by_name !airport_by_name`,
    ],
  },
  'floating times': {
    source: 'ics',
    file: () => one('DTSTART:20260701T092000', 'DTEND:20260701T103000', 'SUMMARY:SK1416 CPH-ARN'),
    rows: [`new ${SK1416} !floating_time`],
  },
  'a zone of Windows, not confirmed': {
    source: 'ics',
    file: () =>
      one(
        'DTSTART;TZID=Romance Standard Time:20260701T092000',
        'DTEND;TZID="Europe/Stockholm":20260701T103000',
        'SUMMARY:SK1416 CPH-ARN',
        'STATUS:TENTATIVE',
      ),
    rows: [`new ${SK1416} !not_confirmed`],
  },
  'a day only': {
    source: 'ics',
    file: () => one('DTSTART;VALUE=DATE:20260701', 'SUMMARY:SK1416 CPH-ARN'),
    rows: ['new 2026-07-01 EKCH>ESSA SK1416 SAS - - - -'],
  },
  'a whole day that is no certain flight': {
    source: 'ics',
    file: () => one('DTSTART;VALUE=DATE:20260701', 'SUMMARY:Flight SK 1416 Copenhagen - Oslo'),
    rows: ['question:from_text 2026-07-01 EKCH>ENGM SK1416 SAS - - - - !airport_by_name !airport_by_name'],
  },
  'an airline’s own event, and a person’s words': {
    source: 'ics',
    file: () =>
      calendar([
        event(
          'UID:lh@x',
          ...times,
          'SUMMARY:Ihr Flug',
          'DESCRIPTION:Flugnr.: LH 2218\\nVon: MUNICH DE\\nNach: TOULOUSE FR\\nKlasse: Economy',
        ),
        event('UID:ay@x', ...times, 'SUMMARY:AY 123 Helsinki to Stockholm Arlanda'),
        event('UID:pr@x', ...times, 'SUMMARY:PR 123: Tests - Docs'),
      ]),
    rows: [
      'question:from_text 2026-07-01 EDDM>LFBO LH2218 DLH - - 2026-07-01T07:20Z 2026-07-01T08:30Z !airport_by_name !airport_by_name',
      'question:from_text 2026-07-01 EFHK>ESSA AY123 FIN - - 2026-07-01T07:20Z 2026-07-01T08:30Z !airport_by_name !airport_by_name',
      'skipped:not_a_flight 2026-07-01 ?>? PR123 PAL - - 2026-07-01T07:20Z 2026-07-01T08:30Z',
    ],
  },
  'a title or a reservation that cancels': {
    source: 'ics',
    file: () =>
      calendar([
        ...['Canceled: ', 'STORNIERT: ', 'Annulé : ', 'Cancelado: ', 'Annullato: '].map((word, i) =>
          event(`UID:t${i}@x`, ...times, `SUMMARY:${word}SK1416 CPH-ARN`),
        ),
        event(
          'UID:res@x',
          ...times,
          'SUMMARY:SK1417 ARN-CPH',
          'DESCRIPTION:{"reservationStatus":"http://schema.org/ReservationCancelled"}',
        ),
        event('UID:train@x', ...times, 'SUMMARY:Train SJ 529 CPH-ARN'),
      ]),
    rows: [
      ...Array.from({ length: 5 }, () => `skipped:cancelled ${SK1416}`),
      `skipped:cancelled ${SK1417}`,
      'skipped:not_a_flight',
    ],
  },
  'cancelled, and others': {
    source: 'ics',
    file: () =>
      calendar([
        event('UID:c@x', ...times, 'SUMMARY:SK1416 CPH-ARN', 'STATUS:CANCELLED'),
        event('UID:d@x', ...times, 'SUMMARY:Lunch, Q3 2026'),
      ]),
    rows: [`skipped:cancelled ${SK1416}`, 'skipped:not_a_flight'],
  },
  'the highest revision of an event counts, wherever it stands': {
    source: 'ics',
    file: () =>
      calendar([
        event('UID:r@x', 'SEQUENCE:2', ...times, 'SUMMARY:SK1416 CPH-ARN'),
        event('UID:r@x', 'SEQUENCE:1', 'DTSTART:20260701T060000Z', 'SUMMARY:SK1416 CPH-ARN'),
        event('UID:q@x', 'SEQUENCE:1', ...times, 'SUMMARY:SK1417 ARN-CPH', 'STATUS:CANCELLED'),
        event('UID:q@x', ...times, 'SUMMARY:SK1417 ARN-CPH'),
      ]),
    rows: [
      'duplicate:superseded=3 2026-07-01 EKCH>ESSA SK1416 SAS - - 2026-07-01T06:00Z -',
      `duplicate:superseded=4 ${SK1417}`,
      `new ${SK1416}`,
      `skipped:cancelled ${SK1417}`,
    ],
  },
  'a method that cancels': {
    source: 'ics',
    file: () => calendar([event('UID:c@x', ...times, 'SUMMARY:SK1416 CPH-ARN')], 'METHOD:CANCEL'),
    rows: [`skipped:cancelled ${SK1416}`],
  },
  'every week: the past ones and the next, one moved, one left out': {
    source: 'ics',
    file: () =>
      calendar([
        event(
          'UID:w@x',
          'DTSTART;TZID=Europe/Copenhagen:20260520T092000',
          'DTEND;TZID=Europe/Copenhagen:20260520T103000',
          'SUMMARY:SK1416 CPH-ARN',
          'RRULE:FREQ=WEEKLY',
          'EXDATE;TZID=Europe/Copenhagen:20260527T092000',
        ),
        event(
          'UID:w@x',
          'RECURRENCE-ID;TZID=Europe/Copenhagen:20260610T092000',
          'DTSTART;TZID=Europe/Copenhagen:20260610T112000',
          'DTEND;TZID=Europe/Copenhagen:20260610T123000',
          'SUMMARY:SK1416 CPH-ARN',
        ),
      ]),
    rows: [
      'new 2026-05-20 EKCH>ESSA SK1416 SAS - - 2026-05-20T07:20Z 2026-05-20T08:30Z !recurring',
      'new 2026-06-03 EKCH>ESSA SK1416 SAS - - 2026-06-03T07:20Z 2026-06-03T08:30Z !recurring',
      'new 2026-06-17 EKCH>ESSA SK1416 SAS - - 2026-06-17T07:20Z 2026-06-17T08:30Z !recurring',
      'new 2026-06-10 EKCH>ESSA SK1416 SAS - - 2026-06-10T09:20Z 2026-06-10T10:30Z',
    ],
  },
  'added and taken out by instants in another zone, one of them at another time': {
    source: 'ics',
    file: () =>
      calendar([
        event(
          'UID:n@x',
          'DTSTART;TZID=Asia/Tokyo:20260601T080000',
          'DTEND;TZID=Asia/Tokyo:20260601T092000',
          'SUMMARY:JL101 HND-ITM',
          // Until 08:00 on the 5th in Tokyo.
          'RRULE:FREQ=DAILY;UNTIL=20260604T230000Z',
          'EXDATE:20260602T230000Z,20260603T230000Z',
          'RDATE;TZID=Asia/Tokyo:20260710T180000,20260711T080000',
        ),
        event(
          'UID:n@x',
          'RECURRENCE-ID:20260601T230000Z',
          'DTSTART;TZID=Asia/Tokyo:20260602T100000',
          'DTEND;TZID=Asia/Tokyo:20260602T112000',
          'SUMMARY:JL105 HND-ITM',
        ),
      ]),
    rows: [
      'new 2026-06-01 RJTT>RJOO JL101 JAL - - 2026-05-31T23:00Z 2026-06-01T00:20Z !recurring',
      'new 2026-06-05 RJTT>RJOO JL101 JAL - - 2026-06-04T23:00Z 2026-06-05T00:20Z !recurring',
      'new 2026-07-10 RJTT>RJOO JL101 JAL - - 2026-07-10T09:00Z 2026-07-10T10:20Z !recurring',
      'new 2026-07-11 RJTT>RJOO JL101 JAL - - 2026-07-10T23:00Z 2026-07-11T00:20Z !recurring',
      'new 2026-06-02 RJTT>RJOO JL105 JAL - - 2026-06-02T01:00Z 2026-06-02T02:20Z',
    ],
  },
  'one that was changed and is written in another zone than its series, before or after it': {
    source: 'ics',
    file: () => {
      const changed = (flight: string, replaced: string) =>
        event(`UID:${flight}`, replaced, 'DTSTART:20260609T033000Z', `SUMMARY:${flight}`)
      const series = (flight: string) =>
        event(
          `UID:${flight}`,
          'DTSTART;TZID=America/Los_Angeles:20260601T180000',
          `SUMMARY:${flight}`,
          'RRULE:FREQ=WEEKLY;COUNT=2',
        )
      return calendar([
        series('UA1 LAX-SFO'),
        changed('UA1 LAX-SFO', 'RECURRENCE-ID;TZID=America/Los_Angeles:20260608T180000'),
        changed('UA2 LAX-SEA', 'RECURRENCE-ID:20260609T010000Z'),
        series('UA2 LAX-SEA'),
      ])
    },
    rows: [
      'new 2026-06-01 KLAX>KSFO UA1 UAL - - 2026-06-02T01:00Z - !recurring',
      'new 2026-06-08 KLAX>KSFO UA1 UAL - - 2026-06-09T03:30Z -',
      'new 2026-06-08 KLAX>KSEA UA2 UAL - - 2026-06-09T03:30Z -',
      'new 2026-06-01 KLAX>KSEA UA2 UAL - - 2026-06-02T01:00Z - !recurring',
    ],
  },
  'days that are added without a rule': {
    source: 'ics',
    file: () =>
      one(
        ...times,
        'SUMMARY:SK1416 CPH-ARN',
        'RDATE;VALUE=DATE:20260708',
        'RDATE;TZID=Europe/Copenhagen:20260715T092000',
      ),
    rows: [
      `new ${SK1416} !recurring`,
      'new 2026-07-08 EKCH>ESSA SK1416 SAS - - 2026-07-08T07:20Z 2026-07-08T08:30Z !recurring',
      'new 2026-07-15 EKCH>ESSA SK1416 SAS - - 2026-07-15T07:20Z 2026-07-15T08:30Z !recurring',
    ],
  },
  'every year on a day that few years have': {
    source: 'ics',
    file: () => one(...leapDay, 'SUMMARY:SK1416 CPH-ARN', 'RRULE:FREQ=YEARLY;UNTIL=20270101'),
    rows: [
      'new 2020-02-29 EKCH>ESSA SK1416 SAS - - 2020-02-29T08:20Z 2020-02-29T09:30Z !recurring',
      'new 2024-02-29 EKCH>ESSA SK1416 SAS - - 2024-02-29T08:20Z 2024-02-29T09:30Z !recurring',
    ],
  },
  'the last weekday of a month, and the day of a month': {
    source: 'ics',
    file: () =>
      calendar([
        event(
          'UID:l@x',
          ...leapDay,
          'SUMMARY:SK1416 CPH-ARN',
          'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3',
        ),
        event('UID:m@x', ...leapDay, 'SUMMARY:SK1417 ARN-CPH', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1,15;COUNT=3'),
      ]),
    rows: [
      'new 2020-02-29 EKCH>ESSA SK1416 SAS - - 2020-02-29T08:20Z 2020-02-29T09:30Z !recurring',
      'new 2020-03-31 EKCH>ESSA SK1416 SAS - - 2020-03-31T07:20Z 2020-03-31T08:30Z !recurring',
      'new 2020-04-30 EKCH>ESSA SK1416 SAS - - 2020-04-30T07:20Z 2020-04-30T08:30Z !recurring',
      'new 2020-02-29 ESSA>EKCH SK1417 SAS - - 2020-02-29T08:20Z 2020-02-29T09:30Z !recurring',
      'new 2020-03-15 ESSA>EKCH SK1417 SAS - - 2020-03-15T08:20Z 2020-03-15T09:30Z !recurring',
      'new 2020-03-31 ESSA>EKCH SK1417 SAS - - 2020-03-31T07:20Z 2020-03-31T08:30Z !recurring',
    ],
  },
  'all that follow were changed: what is not certain is refused': {
    source: 'ics',
    file: () =>
      calendar([
        event(
          'UID:f@x',
          'DTSTART;TZID=Europe/Copenhagen:20260520T092000',
          'DTEND;TZID=Europe/Copenhagen:20260520T103000',
          'SUMMARY:SK1416 CPH-ARN',
          'RRULE:FREQ=WEEKLY',
        ),
        event(
          'UID:f@x',
          'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Copenhagen:20260527T092000',
          'DTSTART;TZID=Europe/Copenhagen:20260528T112000',
          'DTEND;TZID=Europe/Copenhagen:20260528T123000',
          'SUMMARY:SK1416 CPH-ARN',
        ),
      ]),
    rows: [
      'new 2026-05-20 EKCH>ESSA SK1416 SAS - - 2026-05-20T07:20Z 2026-05-20T08:30Z !recurring',
      'error:unreadable_row',
    ],
  },
  'all that follow were cancelled': {
    source: 'ics',
    file: () =>
      calendar([
        event(
          'UID:g@x',
          'DTSTART;TZID=Europe/Copenhagen:20260520T092000',
          'DTEND;TZID=Europe/Copenhagen:20260520T103000',
          'SUMMARY:SK1416 CPH-ARN',
          'RRULE:FREQ=WEEKLY',
        ),
        event(
          'UID:g@x',
          'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Copenhagen:20260527T092000',
          'DTSTART;TZID=Europe/Copenhagen:20260527T092000',
          'SUMMARY:SK1416 CPH-ARN',
          'STATUS:CANCELLED',
        ),
      ]),
    rows: [
      'new 2026-05-20 EKCH>ESSA SK1416 SAS - - 2026-05-20T07:20Z 2026-05-20T08:30Z !recurring',
      'skipped:cancelled 2026-05-27 EKCH>ESSA SK1416 SAS - - 2026-05-27T07:20Z -',
    ],
  },
  'a rule that is not read': {
    source: 'ics',
    file: () => one(...times, 'SUMMARY:SK1416 CPH-ARN', 'RRULE:FREQ=YEARLY;BYWEEKNO=27'),
    rows: ['error:unreadable_row'],
  },
  'blank lines and an end that is missing': {
    source: 'ics',
    file: () =>
      `BEGIN:VCALENDAR\n\nBEGIN:VEVENT\n\n${times.join('\n\n')}\nSUMMARY:SK1416 CPH-\n ARN\nEND:VEVENT\nBEGIN:VEVENT\n${times.join('\n')}\nSUMMARY:SK1417 ARN-CPH\n`,
    rows: [`new ${SK1416}`, 'error:unreadable_row'],
  },
}

async function send(app: TestApp, key: string, file: string | Buffer, type = 'message/rfc822') {
  const { status, text, json } = await app.request('POST', '/api/v1/imports?filename=file', {
    key,
    raw: Buffer.from(file as string),
    headers: { 'content-type': type },
  })
  assert.equal(status, 201, text)
  return readImport(app, key, json.data.id)
}

onSqlite('files of mails and calendars', (app) => {
  for (const [title, cases, source] of [
    ['mails', mails, 'email'],
    ['calendars', calendars, 'ics'],
  ] as const)
    test(`${title}: every record has the expected verdict, and the counts add up`, async () => {
      const who = await app().person()
      const key = await who.key()
      for (const [name, { file, rows: expected }] of Object.entries(cases)) {
        const { import: given, rows } = await send(app(), key, file(who.displayName))
        assert.equal(given.source, source, name)
        assert.deepEqual(rows.map(written), expected, name)
        const { rows: total, remarks: _, ...verdicts } = given.counts as Record<string, number>
        assert.equal(
          total,
          Object.values(verdicts).reduce((sum, count) => sum + count, 0),
          name,
        )
      }
    })
})

onBothEngines('mails and calendars', (app, engine) => {
  const sqliteTest = testOnSqlite(engine)
  sqliteTest('people of several reservations are on one flight, and secrets are not shown', async () => {
    const who = await app().person()
    const key = await who.key()
    const token = `aztecCode:${passText(asOnTicket(who.displayName))}`
    const two = [
      reservation(who.displayName, {
        airplaneSeat: '12C',
        ticketToken: token,
        ticketNumber: '1171234567890',
      }),
      reservation('Max Lindqvist', { airplaneSeat: '12D' }),
    ]
    const { rows } = await send(app(), key, mail(script(two)))
    const { passengers, bookingReference } = rows[0].draft
    assert.deepEqual(
      passengers.map(({ user, guestName, seatNumber }: Row) => [user?.id ?? guestName, seatNumber]),
      [
        [who.id, '12C'],
        ['Max Lindqvist', '12D'],
      ],
    )
    assert.equal(bookingReference, 'Q7RT2M')
    assert.ok(!/M1|1171234567890/.test(rows[0].raw), rows[0].raw)
  })

  test('a cancelled booking finds its flight in the log, and the id of an event finds a changed one', async () => {
    const who = await app().person()
    const key = await who.key()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'ARN')
    const logged = await logFlight(app(), who, { date: '2026-07-01', fromId, toId, flightNumber: 'SK1416' })
    const off = reservation(who.displayName, { reservationStatus: 'ReservationCancelled' })
    const { rows } = await send(app(), key, mail(script(off)))
    assert.deepEqual(
      [rows[0].verdict, rows[0].code, rows[0].of],
      ['skipped', 'cancelled', { flightId: logged.id }],
    )

    const booking = (start: string) => one(`DTSTART:${start}`, 'SUMMARY:SK1417 ARN-CPH')
    const first = await send(app(), key, booking('20260705T072000Z'))
    const commit = await app().request('POST', `/api/v1/imports/${first.import.id}/commit`, { key, body: {} })
    assert.equal(commit.status, 200, commit.text)
    const [flight] = (await app().request('GET', `/api/v1/flights?importId=${first.import.id}`, { key })).json
      .data
    assert.deepEqual(flight.externalIds, { ics: 'e1@example.org' })
    const later = await send(app(), key, booking('20260707T102000Z'))
    assert.deepEqual([later.rows[0].code, later.rows[0].of], ['duplicate_in_log', { flightId: flight.id }])
  })

  sqliteTest('our own feed can be imported', async () => {
    const who = await app().person()
    const key = await who.key()
    const [fromId, toId] = await airportIds(app(), 'CPH', 'ARN')
    await logFlight(app(), who, {
      date: '2026-05-01',
      fromId,
      toId,
      flightNumber: 'SK1416',
      departure: '2026-05-01T09:20:00+02:00',
    })
    const made = await app().request('GET', '/api/v1/flights/export?format=ics', { key })
    const other = await app().person()
    const { rows } = await send(app(), await other.key(), made.text, 'text/calendar')
    assert.equal(rows.length, 1, made.text)
    assert.match(written(rows[0]), /^new 2026-05-01 EKCH>ESSA SK1416 SAS - - 2026-05-01T07:20Z/)
  })

  sqliteTest('pasted source and base64 attachments are read', async () => {
    const who = await app().person()
    const key = await who.key()
    const text = mail(script(reservation(who.displayName)))
    const pasted = await app().request('POST', '/api/v1/imports', {
      key,
      body: { filename: 'mail.txt', text },
    })
    assert.equal(pasted.status, 201, pasted.text)
    assert.deepEqual([pasted.json.data.source, pasted.json.data.counts.new], ['email', 1])
    const attached = message(
      multipart('mixed', [
        part('text/plain', 'x'),
        part('text/calendar; name="a.ics"', Buffer.from(invitation)),
      ]),
    )
    const { rows } = await send(app(), key, attached)
    assert.deepEqual(rows[0].draft.externalIds, { ics: 'booking-1@nordic.example' })
  })
})
