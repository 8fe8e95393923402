// Mails without data for machines: only their text names the flights. Asking about them is right.
import { html, mail, plain } from './printers.ts'
import type { Sample } from './sample.ts'

const headers = (from: string, subject: string, date: string): Record<string, string> => ({
  Received: `from out.example.com by mail.example.net; ${date}`,
  Date: date,
  From: from,
  To: 'me@example.net',
  'Message-ID': `<${date.length}.${subject.length}@example.com>`,
  Subject: subject,
})

export const text = (
  name: string,
  half: Sample['half'],
  filename: string,
  from: string,
  date: string,
  body: string,
  truth: string,
): Sample => ({
  name,
  half,
  filename,
  content: mail(headers(from, filename.replace('.eml', ''), date), plain(body)),
  truth,
})

export const page = (
  name: string,
  half: Sample['half'],
  filename: string,
  from: string,
  date: string,
  body: string,
  truth: string,
): Sample => ({
  name,
  half,
  filename,
  content: mail(headers(from, filename.replace('.eml', ''), date), html(body, 'base64')).replaceAll(
    '\n',
    '\r\n',
  ),
  truth,
})

export const texts: Sample[] = [
  text(
    'English text, codes in brackets',
    'a',
    'Your e-ticket receipt.eml',
    'BA <ba@example.com>',
    'Tue, 12 May 2026 10:11:00 +0100',
    `Dear Ms Ashworth,

Thank you for booking with us. Booking reference: XK4P2L

Your itinerary

BA714 | British Airways | Euro Traveller | Confirmed
Depart: 20 Jun 2026 13:35 - London Heathrow (LHR), Terminal 3
Arrive: 20 Jun 2026 16:20 - Zurich (ZRH)

BA719 | British Airways | Euro Traveller | Confirmed
Depart: 24 Jun 2026 19:50 - Zurich (ZRH)
Arrive: 24 Jun 2026 20:40 - London Heathrow (LHR), Terminal 3

Payment total GBP 231.40`,
    `2026-06-20 LHR ZRH number=BA714 airline=BAW dep=13:35 arr=16:20 class=economy
2026-06-24 ZRH LHR number=BA719 airline=BAW dep=19:50 arr=20:40 class=economy`,
  ),
  text(
    'English text, one line for each flight',
    'b',
    'Ryanair Travel Itinerary.eml',
    'Itinerary <itinerary@example.com>',
    'Mon, 03 Aug 2026 21:30:00 +0100',
    `RESERVATION NUMBER: H4KZ2Q   STATUS: CONFIRMED

GOING OUT: Stansted (STN) to Dublin (DUB)
FR207 - Sat, 12 Sep 2026 - Depart STN at 06:30, arrive DUB at 07:45

COMING BACK: Dublin (DUB) to Stansted (STN)
FR298 - Mon, 14 Sep 2026 - Depart DUB at 21:55, arrive STN at 23:10

Passenger: Mr Rhys Morgan, seat not yet chosen`,
    `2026-09-12 STN DUB number=FR207 airline=RYR dep=06:30 arr=07:45
2026-09-14 DUB STN number=FR298 airline=RYR dep=21:55 arr=23:10`,
  ),
  text(
    'German text, months in words',
    'a',
    'Buchungsbestätigung.eml',
    'Lufthansa <lh@example.com>',
    'Wed, 02 Sep 2026 09:00:00 +0200',
    `Guten Tag Herr Brandt,

vielen Dank für Ihre Buchung. Ihr Buchungscode: QZ7R4M

Hinflug: LH 2218, Montag, 5. Oktober 2026
ab München (MUC) 09:15 Uhr, an Toulouse (TLS) 11:00 Uhr

Rückflug: LH 2223, Mittwoch, 7. Oktober 2026
ab Toulouse (TLS) 18:35 Uhr, an München (MUC) 20:20 Uhr

Gute Reise!`,
    `2026-10-05 MUC TLS number=LH2218 airline=DLH dep=09:15 arr=11:00
2026-10-07 TLS MUC number=LH2223 airline=DLH dep=18:35 arr=20:20`,
  ),
  text(
    'German text, days with dots, places by name',
    'b',
    'Ihre Reiseunterlagen.eml',
    'Reisebüro Sonne <buero@example.de>',
    'Fri, 16 Jan 2026 15:45:00 +0100',
    `Sehr geehrte Familie Huber,

anbei Ihre Flugzeiten:

Flug EW 9530 am 13.03.2026 von Düsseldorf nach Palma de Mallorca, Abflug 06:55, Ankunft 09:20
Flug EW 9531 am 27.03.2026 von Palma de Mallorca nach Düsseldorf, Abflug 10:05, Ankunft 12:30

Ihr Hotel: Playa Azul, 14 Nächte. Transfer inklusive.`,
    `2026-03-13 DUS PMI number=EW9530 airline=EWG dep=06:55 arr=09:20
2026-03-27 PMI DUS number=EW9531 airline=EWG dep=10:05 arr=12:30`,
  ),
  text(
    'French text, hours with h',
    'a',
    'Confirmation de votre réservation.eml',
    'Air France <af@example.fr>',
    'Tue, 10 Feb 2026 18:05:00 +0100',
    `Bonjour Madame Dufour,

Votre réservation R7TMWQ est confirmée.

Vol AF7702 le samedi 14 mars 2026
Départ : 12h40 Paris Charles-de-Gaulle (CDG), terminal 2F
Arrivée : 14h15 Nice Côte d'Azur (NCE), terminal 2

Vol AF7707 le mardi 17 mars 2026
Départ : 19h30 Nice Côte d'Azur (NCE)
Arrivée : 21h05 Paris Charles-de-Gaulle (CDG)

À bientôt à bord.`,
    `2026-03-14 CDG NCE number=AF7702 airline=AFR dep=12:40 arr=14:15
2026-03-17 NCE CDG number=AF7707 airline=AFR dep=19:30 arr=21:05`,
  ),
  page(
    'French page, a table of flights',
    'b',
    'Votre voyage à Porto.eml',
    'Transavia <to@example.fr>',
    'Thu, 26 Mar 2026 07:20:00 +0100',
    `<p>Bonjour Julien Moreau, voici votre itinéraire :</p><table>
<tr><th>Vol</th><th>Date</th><th>Départ</th><th>Arrivée</th></tr>
<tr><td>TO 7630</td><td>22/05/2026</td><td>Paris-Orly (ORY) 06:20</td><td>Porto (OPO) 07:35</td></tr>
<tr><td>TO 7633</td><td>25/05/2026</td><td>Porto (OPO) 20:10</td><td>Paris-Orly (ORY) 23:20</td></tr></table>`,
    `2026-05-22 ORY OPO number=TO7630 airline=TVF dep=06:20 arr=07:35
2026-05-25 OPO ORY number=TO7633 airline=TVF dep=20:10 arr=23:20`,
  ),
  page(
    'Spanish page, months in words',
    'a',
    'Confirmación de compra.eml',
    'Iberia <ib@example.es>',
    'Sun, 08 Mar 2026 12:00:00 +0100',
    `<p>Hola Elena:</p><p>Tu reserva <b>KJ5T2</b> está confirmada.</p>
<div><p>Vuelo IB 432</p><p>viernes, 3 de abril de 2026</p><p>15:45 Madrid (MAD)</p><p>16:50 Bilbao (BIO)</p></div>
<div><p>Vuelo IB 441</p><p>lunes, 6 de abril de 2026</p><p>17:40 Bilbao (BIO)</p><p>18:50 Madrid (MAD)</p></div>`,
    `2026-04-03 MAD BIO number=IB432 airline=IBE dep=15:45 arr=16:50
2026-04-06 BIO MAD number=IB441 airline=IBE dep=17:40 arr=18:50`,
  ),
  text(
    'Spanish text, short months',
    'b',
    'Tu vuelo con Vueling.eml',
    'Vueling <vy@example.es>',
    'Sat, 20 Dec 2025 11:25:00 +0100',
    `¡Hola! Tu código de confirmación es WQ9TLP.

Ida: VY1004, vie 9 ene 2026, Barcelona (BCN) 09:05 - Madrid (MAD) 10:30
Vuelta: VY1019, dom 11 ene 2026, Madrid (MAD) 20:55 - Barcelona (BCN) 22:15

Equipaje de mano incluido.`,
    `2026-01-09 BCN MAD number=VY1004 airline=VLG dep=09:05 arr=10:30
2026-01-11 MAD BCN number=VY1019 airline=VLG dep=20:55 arr=22:15`,
  ),
  text(
    'Italian text, codes in brackets',
    'a',
    'Il tuo biglietto.eml',
    'ITA <az@example.it>',
    'Mon, 01 Jun 2026 16:16:00 +0200',
    `Gentile Chiara Conti,

la tua prenotazione L8QPZ2 è confermata.

Volo AZ1777, sabato 11 luglio 2026
Partenza: Roma Fiumicino (FCO) ore 08:20
Arrivo: Palermo (PMO) ore 09:30

Volo AZ1792, domenica 19 luglio 2026
Partenza: Palermo (PMO) ore 21:05
Arrivo: Roma Fiumicino (FCO) ore 22:15`,
    `2026-07-11 FCO PMO number=AZ1777 airline=ITY dep=08:20 arr=09:30
2026-07-19 PMO FCO number=AZ1792 airline=ITY dep=21:05 arr=22:15`,
  ),
  page(
    'Italian page, days with slashes',
    'b',
    'Conferma di prenotazione.eml',
    'Wizz <w6@example.com>',
    'Wed, 07 Oct 2026 20:00:00 +0200',
    `<p>Conferma di prenotazione: BK7WZ3</p>
<p>Volo di andata W4 6011<br>Milano Malpensa (MXP) - Catania (CTA)<br>Partenza 21/11/2026 07:10, arrivo 21/11/2026 09:05</p>
<p>Volo di ritorno W4 6012<br>Catania (CTA) - Milano Malpensa (MXP)<br>Partenza 28/11/2026 09:45, arrivo 28/11/2026 11:40</p>`,
    `2026-11-21 MXP CTA number=W46011 airline=WMT dep=07:10 arr=09:05
2026-11-28 CTA MXP number=W46012 airline=WMT dep=09:45 arr=11:40`,
  ),
  text(
    'A flight that was cancelled, told in a text',
    'a',
    'Your flight has been cancelled.eml',
    'Aer Lingus <ei@example.ie>',
    'Thu, 05 Mar 2026 05:40:00 +0000',
    `Dear customer,

we are sorry to tell you that your flight EI154 from Dublin (DUB) to London Heathrow (LHR) on 6 March 2026 has been cancelled.
You can choose a refund or another flight.`,
    '- cancelled 2026-03-06 DUB LHR',
  ),
  text(
    'An advertisement that names flights',
    'b',
    'Herbst-Angebote.eml',
    'Condor <de@example.de>',
    'Tue, 01 Sep 2026 06:00:00 +0200',
    `Raus in die Sonne!

Frankfurt (FRA) - Funchal (FNC) mit DE 1530 schon ab 89 Euro
Düsseldorf (DUS) - Fuerteventura (FUE) mit DE 1552 schon ab 99 Euro

Reisezeitraum: 1. Oktober bis 30. November 2026. Jetzt buchen!`,
    '- an advertisement',
  ),
]
