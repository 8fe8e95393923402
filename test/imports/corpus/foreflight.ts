// ForeFlight's logbook: a table of aircraft and a table of flights in one CSV, padded to one width.
import { cellsIn, clockOf, csvRow, type Leg, minutesOf, sample, typeOf, utcOf } from './life.ts'
import type { Sample } from './sample.ts'

const COLUMNS =
  'Date,AircraftID,From,To,Route,TimeOut,TimeOff,TimeOn,TimeIn,OnDuty,OffDuty,TotalTime,PIC,SIC,Night,Solo,CrossCountry,Distance,DayLandings,AllLandings,SimulatedFlight,InstructorName,Person1,Person2,PilotComments'.split(
    ',',
  )
const AIRCRAFT = 'AircraftID,EquipmentType,TypeCode,Year,Make,Model,Category,Class'.split(',')

interface Form {
  /** TimeOut and TimeIn in UTC instead of local time. */
  zulu?: boolean
  delimiter?: string
  /** `7/4/23` instead of `2023-07-04`. */
  american?: boolean
  /** `0+35` instead of `0.6`. */
  plus?: boolean
  /** `0905` instead of `09:05`. */
  bare?: boolean
}

function clock(leg: Leg, name: 'dep' | 'arr', form: Form): string {
  const time = leg.value[name]!
  if (!/^\d/.test(time)) return ''
  const local = time.slice(0, 5)
  const shown = form.zulu ? utcOf(leg.date, time, name === 'dep' ? leg.from : leg.to).slice(11, 16) : local
  return form.bare ? shown.replace(':', '') : shown
}

function row(leg: Leg, form: Form): Record<string, string> {
  const minutes = minutesOf(leg) ?? 60 + ((leg.index * 7) % 50)
  const total = form.plus ? clockOf(minutes).replace(':', '+') : (minutes / 60).toFixed(1)
  const [year = '', month = '', day = ''] = leg.date.split('-')
  return {
    Date: form.american ? `${Number(month)}/${Number(day)}/${year.slice(2)}` : leg.date,
    AircraftID: leg.value.reg!,
    From: leg.from,
    To: leg.to,
    TimeOut: clock(leg, 'dep', form),
    TimeIn: clock(leg, 'arr', form),
    TotalTime: total,
    PIC: total,
    SIC: '0.0',
    DayLandings: '1',
    AllLandings: '1',
  }
}

function logbook(form: Form = {}) {
  return (legs: Leg[]): string => {
    const delimiter = form.delimiter ?? ','
    const padded = (cells: string[]) =>
      csvRow([...cells, ...Array<string>(COLUMNS.length - cells.length).fill('')], delimiter)
    const craft = new Map(legs.filter((leg) => leg.value.reg).map((leg) => [leg.value.reg!, leg.value.type!]))
    const aircraft = [...craft].map(([reg, type]) =>
      padded([reg, 'aircraft', type, '1998', typeOf(type).name.split(' ')[0]!, type, 'airplane', 'ASEL']),
    )
    const rows = legs.map((leg) => leg.raw ?? csvRow(cellsIn(COLUMNS, row(leg, form), leg), delimiter))
    return [
      padded(['ForeFlight Logbook Import', 'This row is required for importing into ForeFlight.']),
      padded(['Aircraft Table']),
      padded(['Text', 'Text', 'Text', 'YYYY', 'Text', 'Text', 'Text', 'Text']),
      padded(AIRCRAFT),
      ...aircraft,
      padded([]),
      padded(['Flights Table ']),
      padded(COLUMNS),
      ...rows,
      '',
    ].join('\n')
  }
}

export const foreFlight: Sample[] = [
  sample(
    'a',
    'ForeFlight, California, FAA identifiers, twice out and back on a day',
    'logbook_2026-02-11.csv',
    logbook({ bare: true }),
    `
2024-08-17 WVI PAO dep=11:20 arr=11:55 type=C172 reg=N5184L
2024-08-12 PAO WVI dep=09:05 arr=09:40 type=C172 reg=N5184L
2023-11-05 PAO MRY dep=00:20 arr=00:55 type=C182 reg=N2116R | Night=0.6
2023-06-17 WVI PAO dep=11:20 arr=11:55 type=C172 reg=N5184L
2023-06-14 PAO WVI dep=09:05 arr=09:40 type=C172 reg=N5184L
- simulator 2023-03-03 PAO PAO | AircraftID= ; TotalTime=0.0 ; SimulatedFlight=1.2
2023-02-18 O69 HAF dep=12:02 arr=12:41 type=C182 reg=N2116R | SIC=0.7 ; PIC=0.0
2022-06-11 PAO PAO dep=08:10 arr=09:25 type=C182 reg=N2116R | Route=KHAF KPAO ; AllLandings=6
2022-05-22 WVI PAO dep=11:20 arr=11:55 type=C172 reg=N5184L
2022-05-18 PAO WVI dep=09:05 arr=09:40 type=C172 reg=N5184L
2022-01-22 E16 PAO dep=15:30 arr=16:05 type=C152 reg=N67521
2021-10-05 WVI PAO dep=11:20 arr=11:55 type=C172 reg=N5184L
2021-09-29 PAO WVI dep=09:05 arr=09:40 type=C172 reg=N5184L
2021-09-19 KC83 K1Q4 dep=13:15 arr=13:40 type=C172 reg=N5184L | From=C83 ; To=1Q4
2021-07-04 PAO KC83 dep=10:00 arr=10:40 type=C172 reg=N5184L | To=C83 ; PilotComments=fireworks later
2021-05-08 SQL PAO type=C172 reg=N5184L | TotalTime=0.7
2021-05-08 PAO SQL type=C172 reg=N5184L | TotalTime=0.7
2021-05-08 SQL PAO type=C152 reg=N67521 | TotalTime=0.8
2021-05-08 PAO SQL type=C152 reg=N67521 | TotalTime=0.6
`,
    { timesAreUtc: false },
  ),
  sample(
    'a',
    'ForeFlight, Germany, semicolons, Zulu, islands',
    'ForeFlight-Logbuch.csv',
    logbook({ delimiter: ';', zulu: true, plus: true }),
    `
2022-06-24 EDXP EDWG dep=08:10 arr=08:24 type=DA40 reg=D-EXMB
2022-06-26 EDWG EDXP dep=17:05 arr=17:19 type=DA40 reg=D-EXMB
2022-09-25 EDNY EDML dep=09:30 arr=10:15 type=DA40 reg=D-EGKL
2022-09-29 EDML EDNY dep=16:10 arr=16:55 type=DA40 reg=D-EXMB
2022-10-30 EDML EDMS dep=10:02 arr=10:27 type=DA40 reg=D-EGKL | PilotComments=Uhr umgestellt; erster Flug danach
2023-03-23 EDNY EDML dep=09:30 arr=10:15 type=DA40 reg=D-EXMB
2023-03-24 EDML EDNY dep=16:10 arr=16:55 type=DA40 reg=D-EXMB
2023-04-09 EDFE LSZG dep=11:40 arr=13:05 type=DA42 reg=D-GBRC
2023-05-18 LSZG LOWZ dep=09:15 arr=10:50 type=DA42 reg=D-GBRC | Person1=Vera Lang;Passenger;vera@example.org
2023-05-18 LOWZ EDNY dep=16:00 arr=17:05 type=DA42 reg=D-GBRC
2024-03-31 EDAY EDAZ type=P28A reg=D-EPTX
2024-05-03 EDNY EDML dep=09:30 arr=10:15 type=DA40 reg=D-EGKL
2024-05-07 EDML EDNY dep=16:10 arr=16:55 type=DA40 reg=D-EXMB
2024-12-31 EDTL EDTL dep=15:05 arr=15:50 type=P28A reg=D-EPTX
2025-06-01 EDNY EDML dep=09:30 arr=10:15 type=DA40 reg=D-EGKL
2025-06-06 EDML EDNY dep=16:10 arr=16:55 type=DA40 reg=D-EXMB
`,
    { timesAreUtc: true },
  ),
  sample(
    'b',
    'ForeFlight, Texas, dates of America with two digits',
    'logbook.csv',
    logbook({ american: true }),
    `
2024-03-10 KTKI SGF dep=01:30 arr=04:35 type=SR22 reg=N514PG
2023-10-07 AUS KTKI dep=15:45 arr=16:40 type=SR22 reg=N882CD
2023-10-04 KTKI AUS dep=08:30 arr=09:25 type=SR22 reg=N882CD
- simulator 2023-01-20 KTKI KTKI | AircraftID=FTD-1 ; SimulatedFlight=1.5 ; TotalTime=0.0
2022-09-23 AUS KTKI dep=15:45 arr=16:40 type=SR22 reg=N514PG
2022-09-20 KTKI AUS dep=08:30 arr=09:25 type=SR22 reg=N882CD
2022-08-13 KTKI KTKI type=PA34 reg=N8227F | Route=KADS KDTO ; TotalTime=1.4
2021-12-12 KTKI DAL dep=12:12 arr=12:31 type=SR22 reg=N514PG | From=KTKI ; To=KDAL
2021-09-20 AUS KTKI dep=15:45 arr=16:40 type=SR22 reg=N882CD
2021-09-16 KTKI AUS dep=08:30 arr=09:25 type=SR22 reg=N882CD
2020-11-01 AUS ELP dep=06:10 arr=08:35 type=SR22 reg=N882CD
2020-09-15 AUS KTKI dep=15:45 arr=16:40 type=SR22 reg=N514PG
2020-09-11 KTKI AUS dep=08:30 arr=09:25 type=SR22 reg=N882CD
2020-02-29 KGTU AUS type=C172 reg=N9531H | TotalTime=0.5
2020-02-29 AUS KGTU type=C172 reg=N9531H | To=GTU ; TotalTime=0.4
2019-06-02 KTKI 06C dep=07:00 arr=12:10 type=SR22 reg=N514PG | PilotComments=Long day, fuel at KMLC
`,
    { timesAreUtc: false },
  ),
  sample(
    'b',
    'ForeFlight, the New York area, Zulu past midnight',
    'export.csv',
    logbook({ zulu: true }),
    `
2021-07-17 FRG 44N dep=17:30 arr=18:10 type=BE36 reg=N24HV
2021-07-17 44N FRG dep=19:10 arr=20:10 type=BE36 reg=N24HV | Night=0.7
2021-10-09 FRG BID dep=10:20 arr=11:00 type=BE36 reg=N24HV
2021-10-13 BID FRG dep=17:55 arr=18:35 type=BE36 reg=N24HV
2022-04-02 KJYO FRG dep=19:40 arr=21:15 type=BE36 reg=N24HV | From=JYO
2022-05-23 FRG BID dep=10:20 arr=11:00 type=BE36 reg=N24HV
2022-05-26 BID FRG dep=17:55 arr=18:35 type=BE36 reg=N24HV
2022-09-10 FRG PWK dep=07:30 arr=10:55 type=PA34 reg=N301MT | To=KPWK
2022-09-11 PWK FRG dep=16:00 arr=21:10 type=PA34 reg=N301MT | From=KPWK
2023-03-12 FRG ACK dep=08:55 arr=09:50 type=BE36 reg=N24HV
2023-10-01 HPN MVY type=SR22 reg=N901SR | PilotComments=with Joan, "smooth"
2023-10-09 FRG BID dep=10:20 arr=11:00 type=BE36 reg=N24HV
2023-10-12 BID FRG dep=17:55 arr=18:35 type=BE36 reg=N24HV
2024-02-29 FRG FRG type=C172 reg=N738YT | AllLandings=8
2024-11-24 FRG BID dep=10:20 arr=11:00 type=BE36 reg=N24HV
2024-11-29 BID FRG dep=17:55 arr=18:35 type=BE36 reg=N24HV
`,
    { timesAreUtc: true },
  ),
]
