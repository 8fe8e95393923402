// OpenFlights' backup: UTF-8 with BOM, CRLF, no newline at the end, distance in miles, arrival only from the duration.
import { airlineOf, cellsIn, clockOf, kmOf, type Leg, minutesOf, sample, typeOf } from './life.ts'
import type { Sample } from './sample.ts'

const COLUMNS =
  'Date,From,To,Flight_Number,Airline,Distance,Duration,Seat,Seat_Type,Class,Reason,Plane,Registration,Trip,Note,From_OID,To_OID,Airline_OID,Plane_OID'.split(
    ',',
  )
const CLASSES: Record<string, string> = { economy: 'Y', 'economy+': 'P', business: 'C', first: 'F' }
const SEATS: Record<string, string> = { A: 'W', F: 'W', K: 'W', B: 'M', E: 'M', C: 'A', D: 'A' }

function row(leg: Leg): Record<string, string> {
  const { value } = leg
  const minutes = minutesOf(leg)
  return {
    Date: value.dep ? `${leg.date} ${value.dep}:00` : leg.date,
    From: leg.from,
    To: leg.to,
    Flight_Number: value.number!,
    Airline: value.airline ? airlineOf(value.airline).name : 'Unknown',
    Distance: String(Math.round(kmOf(leg) / 1.609344)),
    Duration: minutes === undefined ? '' : clockOf(minutes, 2),
    Seat: value.seat!,
    Seat_Type: SEATS[value.seat!.slice(-1)] ?? '',
    Class: CLASSES[value.class!] ?? '',
    Reason: 'LBCO'.charAt(leg.index % 2),
    Plane: value.type ? typeOf(value.type).name : '',
    Registration: value.reg!,
  }
}

/** Only the note is quoted, and quotes in it are not doubled. */
const backup =
  (columns: number, first = COLUMNS) =>
  (legs: Leg[]) => {
    const rows = legs.map((leg) => {
      if (leg.raw !== undefined) return leg.raw
      const cells = cellsIn(COLUMNS, row(leg), leg).slice(0, columns)
      return cells.map((cell, at) => (at === 14 ? `"${cell}"` : cell)).join(',')
    })
    return `\uFEFF${[first.slice(0, columns).join(','), ...rows].join('\r\n')}`
  }

export const withIds = backup(19)
export const withoutIds = backup(15)
const withoutTrip = backup(13)
/** The heading row is free text. */
const renamed = backup(
  15,
  'Fecha,Desde,Hasta,Vuelo,Aerolinea,Millas,Duracion,Asiento,Tipo,Clase,Motivo,Avion,Matricula,Viaje,Nota'.split(
    ',',
  ),
)

/** Typed over in a spreadsheet: `4/13/2015`. */
export function slashed(legs: Leg[]): string {
  const typed = (date: string) => `${Number(date.slice(5, 7))}/${Number(date.slice(8))}/${date.slice(0, 4)}`
  return withoutIds(
    legs.map((leg) => ({
      ...leg,
      cells: { Date: leg.value.dep ? `${leg.date} ${leg.value.dep}` : typed(leg.date), ...leg.cells },
    })),
  )
}

export const openFlights: Sample[] = [
  sample(
    'a',
    'OpenFlights, a Finn, notes with quotes and commas',
    'openflights-2026-05-04.csv',
    withIds,
    `
2004-07-03 HEL CPH number=SK711 airline=SAS dep=09:10 arr=09:45 type=MD82 reg=SE-DMB seat=14F class=economy | Plane=McDonnell Douglas MD-82 ; Note=they said "mind the gap", twice
2006-12-17 HEL JFK number=AY5 airline=FIN dep=14:10 arr=15:25 type=MD11 reg=OH-LGC seat=31A class=economy | Distance=4,110 ; Note=last row, "blue bird"
2008-03-30 HEL BKK number=AY89 airline=FIN dep=23:20 arr=13:10+1 type=MD11 reg=OH-LGG seat=24K class=business | Class=C
2009-07-23 HEL OUL number=AY361 airline=FIN dep=07:05 arr=08:10 type=A320 reg=OH-LXC seat=18B class=economy
2009-07-28 OUL HEL number=AY370 airline=FIN dep=20:15 arr=21:20 type=A320 reg=OH-LXC seat=29C class=economy
2010 HEL TRN airline=BLF | Airline=Blue1
2011-08-25 HEL OUL number=AY361 airline=FIN dep=07:05 arr=08:10 type=A320 reg=OH-LXC seat=23B class=economy
2011-08-27 OUL HEL number=AY370 airline=FIN dep=20:15 arr=21:20 type=A320 reg=OH-LXC seat=25C class=economy
2011-10-30 HEL LHR number=AY831 airline=FIN dep=08:00 arr=09:00 type=A321 reg=OH-LZA seat=12A class=economy | Duration=03:00 ; Registration=OH-LZA
2012-11-05 HEL TLL number=AY113 airline=FIN dep=08:30 arr=09:10 type=AT75 reg=OH-ATE seat=21D class=economy
2012-11-08 TLL HEL number=AY118 airline=FIN dep=21:05 arr=21:45 type=AT75 reg=OH-ATE seat=29F class=economy
2013-06-21 HEL IVL number=AY423 airline=FIN type=E190 reg=OH-LKF class=economy | Plane=Embraer 190
2014-07-05 HEL TLL number=AY113 airline=FIN dep=08:30 arr=09:10 type=AT75 reg=OH-ATE seat=11E class=economy
2014-07-07 TLL HEL number=AY118 airline=FIN dep=21:05 arr=21:45 type=AT75 reg=OH-ATE seat=16F class=economy
2015-05-05 HEL OUL number=AY361 airline=FIN dep=07:05 arr=08:10 type=A320 reg=OH-LXA seat=27D class=economy
2015-05-11 OUL HEL number=AY370 airline=FIN dep=20:15 arr=21:20 type=A320 reg=OH-LXC seat=17F class=economy
2016-08-01 HEL NRT number=AY73 airline=FIN dep=17:15 arr=09:00+1 type=A359 reg=OH-LWA seat=2A class=business | Airline=\\N ; Note= multi word , with comma
2017-05-31 HEL TLL number=AY113 airline=FIN dep=08:30 arr=09:10 type=AT75 reg=OH-ATE seat=18C class=economy
2017-06-03 TLL HEL number=AY118 airline=FIN dep=21:05 arr=21:45 type=AT75 reg=OH-ATE seat=12C class=economy
2019-05-05 EFHF EFTP dep=10:30 arr=11:15 type=C172 reg=OH-CAB | Flight_Number= ; Airline=N/A ; Plane=Cessna 172
`,
  ),
  sample(
    'a',
    'OpenFlights, the old form without ids, B is business',
    'flights.csv',
    withoutTrip,
    `
2000-05-20 BRU JFK number=SN541 airline=SAB dep=10:25 arr=11:50 type=A333 reg=OO-SFM seat=7A class=business | Class=B
2001-09-09 BRU TLV number=SN253 airline=SAB dep=09:50 arr=15:10 type=A320 seat=9C class=economy
2002-04-01 BRU LYS number=SN3583 airline=BEL dep=09:30 arr=10:40 type=RJ85 reg=OO-DJR seat=11D class=economy | Plane=Avro RJ85
2003-08-23 BRU GVA number=SN2711 airline=BEL dep=07:15 arr=08:25 type=B462 reg=OO-DJG seat=3D class=business
2003-08-28 GVA BRU number=SN2714 airline=BEL dep=17:25 arr=18:35 type=B462 reg=OO-DJF seat=1A class=business
2004-12-21 BRU MAD number=SN3721 airline=BEL dep=06:45 arr=08:50 type=A319 reg=OO-SSG seat=24A class=economy
2004-12-23 MAD BRU number=IB3205 airline=IBE dep=20:30 arr=22:35 type=A319 reg=OO-SSG seat=11A class=economy
2005-06-15 BRU ATH number=TV3261 airline=VEX dep=20:15 arr=00:15+1 type=B734 reg=OO-VEK class=economy | Airline=Virgin Express
2005-10-30 LHR BRU number=BD147 airline=BMA dep=07:30 class=economy | Duration= ; Class=Y
2006-01-31 BRU MAD number=SN3721 airline=BEL dep=06:45 arr=08:50 type=A319 reg=OO-SSG seat=26C class=economy
2006-02-03 MAD BRU number=IB3205 airline=IBE dep=20:30 arr=22:35 type=A319 reg=OO-SSG seat=24D class=economy
2006-03-03 CRL DUB number=FR43 airline=RYR dep=22:05 arr=22:30 type=B738 reg=EI-DCX class=economy | Airline=Ryanair
2006-06-03 BRU GVA number=SN2711 airline=BEL dep=07:15 arr=08:25 type=B462 reg=OO-DJF seat=5D class=business
2006-06-06 GVA BRU number=SN2714 airline=BEL dep=17:25 arr=18:35 type=B462 reg=OO-DJF seat=1A class=business
2007-08-11 ANR LCY number=VG210 airline=VLM dep=07:00 arr=07:05 type=F50 reg=OO-VLN seat=4A class=economy | Airline=VLM Airlines
2007-10-21 BRU GVA number=SN2711 airline=BEL dep=07:15 arr=08:25 type=B462 reg=OO-DJG seat=1D class=business
2007-10-23 GVA BRU number=SN2714 airline=BEL dep=17:25 arr=18:35 type=B462 reg=OO-DJG seat=1D class=business
2008-03-14 BRU MAD number=SN3721 airline=BEL dep=06:45 arr=08:50 type=A319 reg=OO-SSG seat=13F class=economy
2008-03-18 MAD BRU number=IB3205 airline=IBE dep=20:30 arr=22:35 type=A319 reg=OO-SSG seat=28B class=economy
2008-11-09 BRU FIH number=SN352 airline=BEL type=A333 reg=OO-SFY seat=29A class=economy
`,
  ),
  sample(
    'a',
    'OpenFlights, dates typed with slashes, month first',
    'my flights fixed.csv',
    slashed,
    `
2010-03-14 BOS IAD number=UA7263 airline=UAL type=CRJ7 reg=N513MJ seat=5A class=economy | Date=3/14/2010 ; Plane=CRJ-700
2010-06-24 BOS DCA number=US2117 airline=USA type=E190 reg=N948UW seat=10E class=economy
2010-06-29 DCA BOS number=US2138 airline=USA type=E190 reg=N945UW seat=24C class=economy
2010-07-04 BOS ACK airline=KAP type=C402 | Date=7/4/2010 ; Airline=Cape Air ; Flight_Number= ; Plane=Cessna 402
2011-04-01 BOS DCA number=US2117 airline=USA type=E190 reg=N945UW seat=17F class=economy
2011-04-03 DCA BOS number=US2138 airline=USA type=E190 reg=N948UW seat=12E class=economy
2012-02-03 BOS LAX number=VX361 airline=VRD type=A320 reg=N639VA seat=12A class=economy | Date=2/3/2012
2012-06-24 BOS DCA number=US2117 airline=USA type=E190 reg=N948UW seat=27D class=economy
2012-06-25 DCA BOS number=US2138 airline=USA type=E190 reg=N948UW seat=28F class=economy
2012-12-30 BOS DCA number=US2117 airline=USA type=E190 reg=N948UW seat=7F class=economy
2013-01-01 DCA BOS number=US2138 airline=USA type=E190 reg=N945UW seat=21A class=economy
2013-11-12 LAX BOS number=VX360 airline=VRD type=A320 reg=N641VA seat=12F class=economy | Date=11/12/2013
2015 BOS CLE airline=UAL | Date=2015 ; Airline=United Airlines
2015-04-13 BOS PVD | Date=4/13/2015 ; Note=bus because of the snow? No: a hop
2016-12-31 BOS KEF number=FI630 airline=ICE dep=21:30 arr=07:35+1 type=B752 reg=TF-ISR seat=22A class=economy | Date=2016-12-31 21:30:00
`,
  ),
  sample(
    'b',
    'OpenFlights, Spanish headings, airlines that share a code',
    'respaldo.csv',
    renamed,
    `
2003-07-19 MAD LHR number=IB3162 airline=IBE dep=08:15 arr=09:15 type=B752 reg=EC-HAA seat=14F class=economy
2006-06-10 BCN ORY number=VY8012 airline=VLG dep=06:45 arr=08:15 type=A320 reg=EC-JFF seat=3C class=economy
2009-02-28 MAD PMI number=UX6063 airline=AEA dep=22:40 arr=23:50 type=B738 reg=EC-JAP seat=25A class=economy
2009-07-04 MAD BCN number=IB2702 airline=IBE dep=07:00 arr=08:05 type=A320 reg=EC-HTB seat=24F class=economy
2009-07-09 BCN MAD number=IB1717 airline=IBE dep=19:30 arr=20:35 type=A320 reg=EC-HTB seat=26E class=economy
2010-09-16 MAD BCN number=IB2702 airline=IBE dep=07:00 arr=08:05 type=A320 reg=EC-ILR seat=28E class=economy
2010-09-21 BCN MAD number=IB1717 airline=IBE dep=19:30 arr=20:35 type=A320 reg=EC-ILR seat=24C class=economy
2011-02-10 BCN SVQ number=VY2220 airline=VLG dep=08:20 arr=09:45 type=A320 reg=EC-KDG seat=20E class=economy
2011-02-14 SVQ BCN number=VY2229 airline=VLG dep=21:45 arr=23:10 type=A320 reg=EC-KDG seat=17A class=economy
2011-11-20 BCN MLA number=KM693 airline=AMC dep=13:15 arr=15:10 type=A320 reg=9H-AEK seat=11A class=economy | Airline=Air Malta
2012-01-27 BCN MAD number=JK4131 airline=JKK | Flight_Number=JK4131 ; Airline=Spanair
2013-04-22 MAD BCN number=IB2702 airline=IBE dep=07:00 arr=08:05 type=A320 reg=EC-ILR seat=29C class=economy
2013-04-24 BCN MAD number=IB1717 airline=IBE dep=19:30 arr=20:35 type=A320 reg=EC-HTB seat=7E class=economy
2013-10-25 BCN SVQ number=VY2220 airline=VLG dep=08:20 arr=09:45 type=A320 reg=EC-KDG seat=7C class=economy
2013-10-28 SVQ BCN number=VY2229 airline=VLG dep=21:45 arr=23:10 type=A320 reg=EC-KDG seat=11C class=economy
2014-09-15 MAD EZE number=AR1133 airline=ARG dep=19:40 arr=03:00+1 type=A343 reg=LV-CSE seat=32H class=economy | Note=decía "retrasado", 2 h
2015-01-05 TFN VDE number=NT911 airline=IBB dep=09:15 arr=10:05 type=AT75 reg=EC-KGI seat=8D class=economy | Airline=Binter Canarias
2015-08-29 BCN SVQ number=VY2220 airline=VLG dep=08:20 arr=09:45 type=A320 reg=EC-KDG seat=22E class=economy
2015-09-04 SVQ BCN number=VY2229 airline=VLG dep=21:45 arr=23:10 type=A320 reg=EC-KDG seat=28D class=economy
2018-03-25 BCN TXL number=VY1882 airline=VLG dep=06:40 arr=08:55 type=A320 reg=EC-MEA seat=7F class=economy
2022-02-12 MAD FCO number=AZ63 airline=ITY dep=19:10 arr=21:15 type=A320 reg=EI-DSX seat=17C class=economy | Airline=ITA Airways
`,
  ),
  sample(
    'b',
    'OpenFlights, a Brazilian, N for empty, airfields by ICAO',
    'openflights-2025-12-01.csv',
    withIds,
    `
2004-02-14 GIG LHR number=RG8750 airline=VRG dep=23:10 arr=12:35+1 type=MD11 reg=PP-VTK seat=22A class=economy | Airline=Varig ; Note=carnaval, ida
2005-02-20 CGH SDU number=JJ3900 airline=TAM dep=07:30 arr=08:25 type=A319 reg=PR-MAL seat=20C class=economy
2005-02-24 SDU CGH number=JJ3941 airline=TAM dep=18:30 arr=19:25 type=A319 reg=PT-TMA seat=21C class=economy
2005-11-05 SSA GRU number=RG2311 airline=VRG dep=02:40 arr=05:50 type=B733 class=economy | Registration=\\N ; Seat=\\N
2008-08-24 CGH SDU number=JJ3900 airline=TAM dep=07:30 arr=08:25 type=A319 reg=PR-MAL seat=28B class=economy
2008-08-27 SDU CGH number=JJ3941 airline=TAM dep=18:30 arr=19:25 type=A319 reg=PR-MAL seat=19B class=economy
2008-10-19 BSB MAO number=G31634 airline=GLO dep=21:00 arr=21:50 type=B738 seat=11A class=economy
2009-07-07 SBMT SDU dep=11:45 arr=12:40 type=BE9L | Flight_Number=\\N ; Airline=\\N ; Plane=Beechcraft King Air 90
2010-12-07 GRU POA number=G31214 airline=GLO dep=09:05 arr=10:35 type=B738 reg=PR-GUG seat=15B class=economy
2010-12-10 POA GRU number=G31275 airline=GLO dep=21:50 arr=23:20 type=B738 reg=PR-GUG seat=26E class=economy
2011-06-12 CGH SDU number=JJ3900 airline=TAM dep=07:30 arr=08:25 type=A319 reg=PR-MAL seat=14D class=economy
2011-06-18 SDU CGH number=JJ3941 airline=TAM dep=18:30 arr=19:25 type=A319 reg=PT-TMA seat=19C class=economy
2013-02-17 GRU POA number=G31214 airline=GLO dep=09:05 arr=10:35 type=B738 reg=PR-GUG seat=10B class=economy
2013-02-18 POA GRU number=G31275 airline=GLO dep=21:50 arr=23:20 type=B738 reg=PR-GUG seat=10F class=economy
2013-08-08 GRU OTBD number=QR772 airline=QTR dep=03:00 arr=23:25 type=B77L reg=A7-BBC seat=2A class=business | To=DOH
2014-06-17 GRU DOH number=QR772 airline=QTR dep=03:25 arr=23:50 type=B77W reg=A7-BAX seat=25A class=economy
2014-12-13 GRU POA number=G31214 airline=GLO dep=09:05 arr=10:35 type=B738 reg=PR-GUG seat=17A class=economy
2014-12-16 POA GRU number=G31275 airline=GLO dep=21:50 arr=23:20 type=B738 reg=PR-GUG seat=8D class=economy
2017-12-01 GRU LIS number=TP88 airline=TAP dep=17:00 arr=04:50+1 type=A332 reg=CS-TOM seat=14C class=economy
2019-02-16 GRU SCL number=LA753 airline=LAN dep=23:50 arr=02:25+1 type=B789 reg=CC-BGK seat=20J class=economy | Airline=LATAM Chile
`,
  ),
  sample(
    'b',
    'OpenFlights, Japanese regional life, a flight with only a duration',
    'openflights-2023-11-30.csv',
    withIds,
    `
1993-05-21 HND CTS number=JL505 airline=JAL dep=08:25 arr=09:55 type=B742 reg=JA8111 seat=40A class=economy
1997-08-08 RJNA OKA number=NH303 airline=ANA dep=13:05 arr=15:10 type=B763 reg=JA8578 seat=31K class=economy | From=NGO
1999-12-31 NRT HNL number=NW22 airline=NWA dep=20:00 arr=08:45 type=B742 reg=N623US seat=55B class=economy
2005-02-16 RJNA CTS number=JL3101 airline=JAL dep=07:50 arr=09:25 type=A306 reg=JA8237 seat=6A class=economy | From=NGO
2005-03-01 NGO CTS number=JL3101 airline=JAL dep=07:50 arr=09:30 type=MD90 reg=JA8062 seat=20C class=economy | Plane=McDonnell Douglas MD-90
2011-10-17 ITM FUK number=NH421 airline=ANA dep=07:20 arr=08:45 type=DH8D reg=JA848A seat=10B class=economy
2011-10-19 FUK ITM number=JL2058 airline=JAL dep=19:15 arr=20:40 type=DH8D reg=JA848A seat=7B class=economy
2012-06-09 KIX ICN number=OZ111 airline=AAR | Duration=01:55 ; Airline=Asiana Airlines
2013-06-20 ITM FUK number=NH421 airline=ANA dep=07:20 arr=08:45 type=DH8D reg=JA848A seat=11C class=economy
2013-06-20 HND GAJ number=NH393 airline=ANA dep=06:55 arr=07:50 type=A320 reg=JA8400 seat=21A class=economy
2013-06-24 GAJ HND number=NH400 airline=ANA dep=20:30 arr=21:25 type=A320 reg=JA8400 seat=22A class=economy
2013-06-25 FUK ITM number=JL2058 airline=JAL dep=19:15 arr=20:40 type=DH8D reg=JA848A seat=21D class=economy
2015-07-01 ITM FUK number=NH421 airline=ANA dep=07:20 arr=08:45 type=DH8D reg=JA848A seat=8F class=economy
2015-07-04 FUK ITM number=JL2058 airline=JAL dep=19:15 arr=20:40 type=DH8D reg=JA848A seat=24A class=economy
2016-03-20 OKA ISG number=NU609 airline=JTA dep=07:25 arr=08:25 type=B734 reg=JA8993 class=economy | Plane=Boeing 737-400
2017-08-27 HND GAJ number=NH393 airline=ANA dep=06:55 arr=07:50 type=A320 reg=JA8400 seat=10F class=economy
2017-09-02 GAJ HND number=NH400 airline=ANA dep=20:30 arr=21:25 type=A320 reg=JA8400 seat=18B class=economy
2018-10-10 AOJ HND number=JL142 airline=JAL dep=09:55 arr=11:05 type=B738 reg=JA306J seat=18A class=economy
2023-11-04 HND KMQ number=NH751 airline=ANA type=A321 reg=JA111A seat=7C class=economy
`,
  ),
]
