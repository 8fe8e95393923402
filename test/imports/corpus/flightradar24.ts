// myFlightradar24's CSV: first line blank, texts in quotes, `00:00:00` for no time.
import { airlineOf, cellsIn, clockOf, type Leg, minutesOf, placeOf, sample, typeOf } from './life.ts'
import type { Sample } from './sample.ts'

const COLUMNS =
  'Date,Flight number,From,To,Dep time,Arr time,Duration,Airline,Aircraft,Registration,Seat number,Seat type,Flight class,Flight reason,Note'.split(
    ',',
  )
const IDS = ['Dep_id', 'Arr_id', 'Airline_id', 'Aircraft_id']
const QUOTED = ['From', 'To', 'Airline', 'Aircraft', 'Note']
const CLASSES = ['', 'economy', 'business', 'first', 'economy+', 'private']

function place(code: string): string {
  const { iata, icao, city, name } = placeOf(code)
  const short = name.replace(/ ?International| ?Airport/g, '').replace(`${city} `, '')
  return `${city} / ${short || city} (${iata}/${icao})`
}

function clock(time = ''): string {
  return /^\d/.test(time) ? `${time.slice(0, 5)}:00` : '00:00:00'
}

function row(leg: Leg): Record<string, string> {
  const { value } = leg
  const airline = airlineOf(value.airline!)
  const minutes = minutesOf(leg)
  return {
    Date: leg.date,
    'Flight number': value.number!,
    From: place(leg.from),
    To: place(leg.to),
    'Dep time': clock(value.dep),
    'Arr time': clock(value.arr),
    Duration: minutes === undefined ? '00:00:00' : `${clockOf(minutes, 2)}:00`,
    Airline: value.airline ? `${airline.name} (${airline.iata}/${airline.icao})` : ' (/)',
    Aircraft: value.type ? `${typeOf(value.type).name} (${value.type})` : ' ()',
    Registration: value.reg!,
    'Seat number': value.seat!,
    'Seat type': value.seat ? (/[AF]$/.test(value.seat) ? '1' : /[BE]$/.test(value.seat) ? '2' : '3') : '0',
    'Flight class': String(Math.max(0, CLASSES.indexOf(value.class!))),
    'Flight reason': String((leg.index % 4) + 1),
  }
}

function printed(legs: Leg[], columns: string[]): string {
  const lines = legs.map((leg) => {
    if (leg.raw !== undefined) return leg.raw
    const ids = Object.fromEntries(IDS.map((id, at) => [id, String(100 + leg.index * 7 + at)]))
    const cells = cellsIn(columns, columns.includes('Dep_id') ? { ...row(leg), ...ids } : row(leg), leg)
    return cells.map((cell, at) => (QUOTED.includes(columns[at]!) ? `"${cell}"` : cell)).join(',')
  })
  return `\n${[columns.join(','), ...lines].join('\n')}\n`
}

export const old = (legs: Leg[]) => printed(legs, COLUMNS)
export const newer = (legs: Leg[]) => printed(legs, [...COLUMNS, ...IDS])
/** Opened and saved in a text editor on Windows. */
export const edited = (legs: Leg[]) => `\uFEFF${old(legs).replaceAll('\n', '\r\n')}`

export const flightradar24: Sample[] = [
  sample(
    'a',
    'fr24, a life from Vienna with airlines that are gone',
    'flightdiary_2026_10_02_09_14.csv',
    newer,
    `
2006-04-11 VIE PRG number=OK603 airline=CSA dep=07:05 arr=08:05 type=AT75 reg=OK-XFB seat=4A class=economy | Airline=CSA Czech Airlines (OK/CSA) ; Aircraft=ATR 72-500 (AT75)
2007 VIE SVO airline=AFL type=T154 | Note=first time in Russia, year from the stamp only ; Airline=Aeroflot (SU/AFL)
2008-02-29 VIE BUD number=MA525 airline=MAH dep=13:35 arr=14:20 type=B736 reg=HA-LON seat=11F class=economy | Airline=Malev (MA/MAH)
2009-07 VIE CFU airline=AUA
2009-08-07 VIE FRA number=OS125 airline=AUA dep=06:50 arr=08:05 type=A320 reg=OE-LBO seat=18C class=economy
2009-08-12 FRA VIE number=OS126 airline=AUA dep=18:10 arr=19:25 type=A320 reg=OE-LBN seat=10C class=economy
2010-11-16 VIE FRA number=OS125 airline=AUA dep=06:50 arr=08:05 type=A320 reg=OE-LBN seat=18C class=economy
2010-11-17 FRA VIE number=OS126 airline=AUA dep=18:10 arr=19:25 type=A320 reg=OE-LBN seat=17A class=economy
2011-11-12 VIE LTBA number=TK1888 airline=THY dep=18:55 arr=21:55 type=A321 reg=TC-JRG seat=22C class=economy | To=Istanbul / Ataturk (ISL/LTBA)
2012-01-06 LTBA VIE number=TK1885 airline=THY dep=08:40 arr=09:40 type=B738 reg=TC-JFK seat=17A class=economy | From=Istanbul / Ataturk (IST/LTBA)
2013-01-27 VIE FRA number=OS125 airline=AUA dep=06:50 arr=08:05 type=A320 reg=OE-LBN seat=22C class=economy
2013-01-29 FRA VIE number=OS126 airline=AUA dep=18:10 arr=19:25 type=A320 reg=OE-LBO seat=23D class=economy
2013-07-24 VIE TXL number=AB8429 airline=BER dep=09:15 arr=10:25 type=A320 reg=D-ABNF seat=9D class=economy
2013-07-27 TXL VIE number=AB8432 airline=BER dep=17:40 arr=18:50 type=A320 reg=D-ABNF seat=16E class=economy
2014 VIE ? airline=QTR type=A320 | To=Doha / Doha (DOH/)
2015-05-16 VIE MLA number=KM513 airline=AMC dep=11:35 arr=13:40 type=A320 reg=9H-AEF seat=9D class=economy | Airline=Air Malta (KM/)
2016-05-11 VIE TXL number=AB8429 airline=BER dep=09:15 arr=10:25 type=A320 reg=D-ABNF seat=18D class=economy
2016-05-13 TXL VIE number=AB8432 airline=BER dep=17:40 arr=18:50 type=A320 reg=D-ABNF seat=13F class=economy
2016-10-30 BKK VIE number=OS26 airline=AUA dep=23:45 arr=05:25+1 type=B772 reg=OE-LPC seat=3K class=business | Arr time=05:25:00
2017-03-26 VIE LHR number=BA697 airline=BAW dep=07:00 arr=08:00 type=A319 reg=G-EUPD seat=14F class=economy | Note=clocks went forward in the night
2018-08-01 VIE KLU number=OS931 airline=AUA dep=22:50 arr=23:45 type=DH8D reg=OE-LGK seat=5C class=economy | Aircraft=De Havilland Canada DHC-8-400 Dash 8 (DH8D)
2018-10-12 ? VIE number=EW8062 airline=EWG dep=19:05 arr=20:15 type=A320 reg=D-AIZR seat=21C class=economy | From=Berlin / Brandenburg (BER/EDDB) ; Duration=01:10:00
2019-05-20 VIE IST number=TK1884 airline=THY dep=10:15 arr=13:10 type=B739 reg=TC-JYB seat=23E class=economy
2019-06-19 VIE PMI airline=LDM dep=05:55 arr=08:10 type=A320 | Airline=Laudamotion (/LDM) ; Registration=
2019-09-09 VIE NCE number=OS411 airline=AUA dep=12:50 arr=14:20 type=E195 reg=OE-LWA seat=8F class=economy | Aircraft=Embraer ERJ-195 (E195) ; Note=Anna's wedding, "the big one"
2022-01-03 VIE ? number=OS201 airline=AUA dep=07:15 | To= ; Dep time=07:15:00 ; Note=where to? Graz or Linz
`,
  ),
  sample(
    'a',
    'fr24, consultant in South Asia, half-hour zones',
    'flightdiary_2025_12_30_22_01.csv',
    old,
    `
2025-03 DEL IXL airline=AIC | Note=month from the photos
2024-12-31 KTM DEL number=AI212 airline=AIC dep=15:05 arr=16:20 type=A20N reg=VT-EXF seat=3C class=business
2024-02-29 DXB KTM number=FZ575 airline=FDB dep=09:05 arr=14:50 type=B38M reg=A6-FMB seat=15D class=economy | Aircraft=Boeing 737 MAX 8 (B38M) ; Seat type=9
2023-11-01 ISB DXB number=PK211 airline=PIA dep=23:50 arr=01:35+1 type=B772 reg=AP-BMG seat=20C class=economy | Note=Ends after midnight
2022-07-08 DEL SIN number=SQ403 airline=SIA dep=09:50 arr=17:45 type=B78X reg=9V-SCB seat=32K class=economy
2021-06-30 CMB BOM number=UL141 airline=ALK dep=23:20 arr=01:40+1 type=A333 reg=4R-ALM seat=1D class=business
2021-06-25 BOM CMB number=UL142 airline=ALK dep=03:05 arr=05:25 type=A333 reg=4R-ALM seat=4F class=business
2021-04-02 KTM PKR number=U4611 airline=BHA dep=15:00 arr=15:45 type=AT75 reg=9N-AJS seat=2A class=economy | Aircraft=ATR 72 500 (AT75) ; Note="mountain side"
2020-01-24 PBH KTM number=KB400 airline=DRK dep=07:05 arr=07:50 type=A319 reg=A5-RGF seat=6A class=economy
2020-01-17 DEL PBH number=KB209 airline=DRK dep=12:05 arr=14:30 type=A319 reg=A5-RGG seat=6F class=economy | To=Paro / Paro (PBH/VQPR)
2019-09-02 KTM DEL number=RA205 airline=RNA dep=08:30 arr=09:45 type=A320 reg=9N-AKW seat=25C class=economy
2019-08-27 DEL KTM number=RA206 airline=RNA dep=10:45 arr=12:30 type=A320 reg=9N-AKX seat=15A class=economy
2019-02-14 KTM BAH number=GF541 airline=GFA dep=21:45 arr=23:30 type=A320 reg=A9C-AF seat=12A class=economy | Airline=Gulf Air (GF/GFA)
2018-03-15 KTM KUL number=OD181 airline=MXD dep=13:40 arr=20:15 type=B738 reg=9M-LNJ seat=30A class=economy | Airline=Malindo Air (OD/MXD)
2018-03-11 KUL KTM number=OD182 airline=MXD dep=09:30 arr=11:35 type=B738 reg=9M-LNF seat=31F class=economy | Airline=Batik Air (OD/MXD)
2018-03-09 KTM DEL number=RA205 airline=RNA dep=08:30 arr=09:45 type=A320 reg=9N-AKW seat=29A class=economy
2018-03-07 DEL KTM number=RA206 airline=RNA dep=10:45 arr=12:30 type=A320 reg=9N-AKX seat=25E class=economy
2017-05-28 CMB BOM number=UL141 airline=ALK dep=23:20 arr=01:40+1 type=A333 reg=4R-ALM seat=1F class=business
2017-05-27 BOM CMB number=UL142 airline=ALK dep=03:05 arr=05:25 type=A333 reg=4R-ALM seat=4C class=business
2016-06-01 KTM DEL number=RA205 airline=RNA dep=08:30 arr=09:45 type=A320 reg=9N-AKW seat=17C class=economy
2016-05-31 DEL KTM number=RA206 airline=RNA dep=10:45 arr=12:30 type=A320 reg=9N-AKW seat=26F class=economy
2015-02-27 KNH TSA number=B78858 airline=UIA dep=17:05 arr=18:10 type=AT76 reg=B-17011 seat=9D class=economy | Airline=UNI Air (B7/UIA)
2015-02-20 TSA KNH number=B78857 airline=UIA dep=15:10 arr=16:15 type=AT76 reg=B-17013 seat=9A class=economy | Airline=UNI Air (B7/UIA)
2009-05-10 BLR DEL number=9W810 airline=JAI dep=06:10 arr=08:40 type=B738 reg=VT-JGB seat=5A class=business | Duration=02:13:00
2008-05-10 VOBG DEL number=9W810 airline=JAI dep=06:10 arr=08:45 type=B738 reg=VT-JGA seat=5A class=business | From=Bengaluru / HAL (BLR/VOBG)
2006-08-02 VOHY BOM number=AI616 airline=AIC dep=20:00 arr=21:15 type=A320 reg=VT-EPB seat=6C class=business | From=Hyderabad / Begumpet (HYD/VOHY)
`,
  ),
  sample(
    'a',
    'fr24, edited on Windows, records with only a name or a code',
    'flightdiary_2024_05_05_05_05.csv',
    edited,
    `
1997-08-14 FBU CPH number=SK459 airline=SAS dep=08:10 arr=09:15 type=MD82 reg=LN-RLF seat=8C class=business | From=Oslo / Fornebu (FBU/ENFB)
1999-03-01 OSL CPH number=SK459 airline=SAS dep=08:10 arr=09:15 type=MD83 reg=LN-RMA seat=7C class=business | Aircraft=McDonnell Douglas MD-83 (MD83)
2018-10-28 OSL LPA number=DY1764 airline=NAX dep=06:35 arr=10:55 type=B738 reg=LN-DYD seat=20A class=economy | Note=Night when the clocks go back
2019-01-20 OSL TRF | Note=both the same city, says the wife
2019-05-20 OSL TRD number=DY744 airline=NAX dep=07:25 arr=08:20 type=B738 reg=LN-ENT seat=20F class=economy
2019-05-22 TRD OSL number=DY747 airline=NAX dep=16:40 arr=17:35 type=B738 reg=LN-NGA seat=9F class=economy
2019-06-21 TOS LYR number=SK4414 airline=SAS dep=00:00 arr=01:40 type=B738 reg=LN-RRS seat=4A class=economy | Arr time=01:40:00 ; Duration=01:40:00
2019-06-28 LYR TOS number=SK4491 airline=SAS dep=03:15 arr=04:55 type=B738 reg=LN-RRU seat=5F class=economy | Arr time=00:00:00
2020-02-02 OSL GOT number=WF392 airline=WIF dep=09:20 arr=10:25 type=DH8C reg=LN-WFO seat=3A class=economy | Aircraft=DHC-8-300 (DH8C)
2020-06-10 OSL TRD number=DY744 airline=NAX dep=07:25 arr=08:20 type=B738 reg=LN-NGA seat=26B class=economy
2020-06-14 TRD OSL number=DY747 airline=NAX dep=16:40 arr=17:35 type=B738 reg=LN-ENT seat=14E class=economy
2020-06-17 OSL BGO number=SK249 airline=SAS dep=08:00 arr=08:55 type=A20N reg=SE-ROX seat=25E class=economy
2020-06-18 BGO OSL number=SK258 airline=SAS dep=19:05 arr=20:00 type=A20N reg=SE-ROX seat=29A class=economy
2020-08-08 OSL HAU number=WF184 airline=WIF dep=21:55 arr=23:05 type=DH8A reg=LN-WIP | Aircraft=Bombardier DHC-8-100 (DH8A)
2021-10-09 OSL BGO number=SK249 airline=SAS dep=08:00 arr=08:55 type=A20N reg=LN-RGL seat=17C class=economy
2021-10-14 BGO OSL number=SK258 airline=SAS dep=19:05 arr=20:00 type=A20N reg=LN-RGL seat=9A class=economy
2021-12-24 OSL LKL number=WF988 airline=WIF dep=11:20 arr=14:15 type=DH8C reg=LN-WFS | To=Lakselv / Banak (LKL/ENNA)
2022-04-04 OSL EWR number=DY7015 airline=NAX dep=17:20 arr=18:50 type=B789 reg=LN-LNI seat=9A class=economy+ | Flight class=4
2022-12-09 OSL TRD number=DY744 airline=NAX dep=07:25 arr=08:20 type=B738 reg=LN-ENT seat=9E class=economy
2022-12-13 TRD OSL number=DY747 airline=NAX dep=16:40 arr=17:35 type=B738 reg=LN-NGA seat=13E class=economy
2023-07-02 OSL ALC number=D85325 airline=? dep=06:30 arr=10:00 reg=SE-RRJ seat=28F class=economy | Airline=Norwegian ; Flight reason=1 ; Note=operated by the Swedish company
- twice 2023-07-02 OSL ALC number=D85325 airline=? dep=06:30 arr=10:00 reg=SE-RRJ seat=28F class=economy | Airline=Norwegian ; Flight reason=1 ; Note=operated by the Swedish company
`,
  ),
  sample(
    'b',
    'fr24, Sydney, the date line and Qantas jets',
    'flightdiary_2026_08_19_11_40.csv',
    newer,
    `
2004-09-18 SYD VTBD number=TG992 airline=THA dep=16:35 arr=22:55 type=B744 reg=HS-TGH seat=44A class=economy | To=Bangkok / Don Mueang (BKK/VTBD)
2011-12-28 SYD APW number=VA91 airline=VOZ dep=20:15 arr=04:50 type=B738 reg=VH-VUJ seat=10C class=economy | Note=Samoa still on the other side of the date line
2012-06-10 APW SYD number=VA92 airline=VOZ dep=05:00 arr=07:35 type=B738 reg=VH-VUL seat=10A class=economy
2013-07-04 AKL RAR number=NZ46 airline=ANZ dep=08:50 arr=14:55-1 type=A320 reg=ZK-OJC seat=18F class=economy | Note=landed the day before
2013-07-12 RAR AKL number=NZ45 airline=ANZ dep=15:40 arr=17:45+1 type=A320 reg=ZK-OJD seat=18A class=economy
2014-04-05 SYD SFO number=UA870 airline=UAL dep=14:05 arr=10:40 type=B772 reg=N218UA seat=38A class=economy | Note=last night of summer time
2014-04-16 SFO SYD number=UA863 airline=UAL dep=22:40 arr=06:15+2 type=B772 reg=N217UA seat=38K class=economy
2015-06-14 SYD MEL number=QF407 airline=QFA dep=07:00 arr=08:20 type=B738 reg=VH-VXB seat=21E class=economy
2015-06-20 MEL SYD number=QF456 airline=QFA dep=17:30 arr=18:50 type=B738 reg=VH-VXB seat=19D class=economy
2016-03-18 MEL ADL number=JQ774 airline=JST dep=08:05 arr=08:50 type=A320 reg=VH-VGF seat=12A class=economy
2017-03-25 SYD MEL number=QF407 airline=QFA dep=07:00 arr=08:20 type=B738 reg=VH-VXB seat=20E class=economy
2017-03-29 MEL SYD number=QF456 airline=QFA dep=17:30 arr=18:50 type=B738 reg=VH-VXB seat=9D class=economy
2017-04-11 SYD CBR number=QF1471 airline=QFA dep=06:35 arr=07:30 type=DH8D reg=VH-QOA seat=8B class=economy
2017-04-16 CBR SYD number=QF1496 airline=QFA dep=19:20 arr=20:15 type=DH8D reg=VH-QOA seat=18C class=economy
2017-05-05 ADL DRW number=JQ694 airline=JST dep=20:55 arr=00:30+1 type=A320 reg=VH-VGI seat=3D class=economy
2018-08-14 SYD MEL number=QF407 airline=QFA dep=07:00 arr=08:20 type=B738 reg=VH-VZR seat=20D class=economy
2018-08-17 MEL SYD number=QF456 airline=QFA dep=17:30 arr=18:50 type=B738 reg=VH-VZR seat=27A class=economy
2018-10-07 DRW SYD number=QF841 airline=QFA dep=01:25 arr=07:10 type=B738 reg=VH-XZN seat=5A class=business | Note=Clocks forward in Sydney that night
2019-03-02 SYD CBR number=QF1471 airline=QFA dep=06:35 arr=07:30 type=DH8D reg=VH-QOA seat=21E class=economy
2019-03-07 CBR SYD number=QF1496 airline=QFA dep=19:20 arr=20:15 type=DH8D reg=VH-QOA seat=23C class=economy
2019-12-20 SYD NAN number=FJ910 airline=FJI dep=13:25 arr=19:40 type=B738 reg=DQ-FJH seat=22A class=economy | Airline=Fiji Airways (FJ/FJI)
2020-01-05 NAN LAX number=FJ810 airline=FJI dep=22:00 arr=12:00 type=A359 reg=DQ-FAI seat=11A class=business
2022-08-08 PER LHR number=QF9 airline=QFA dep=18:45 arr=05:20+1 type=B789 reg=VH-ZNA seat=56K class=economy
2023-07-01 PQQ LDH dep=10:00 arr=12:10 reg=VH-UBS |= 2023-07-01,,"Port Macquarie / Port Macquarie (PQQ/YPMQ)","Lord Howe Island / Lord Howe Island (LDH/YLHI)",10:00:00,12:10:00,01:40:00," (/)"," ()",VH-UBS,,0,0,1,"charter, half an hour between the clocks",1,2,3,4
`,
  ),
  sample(
    'b',
    'fr24, an American who calls it by local codes, year only',
    'flightdiary_2023_04_01_00_00.csv',
    old,
    `
1995 PHL PIT airline=USA
1995 PHL PIT airline=USA type=B733 | Note=another time, same year
2003-10-23 JFK LHR number=BA2 airline=BAW dep=08:30 arr=17:00 type=CONC reg=G-BOAG seat=3A class=first |= 2003-10-23,BA2,"New York / John F. Kennedy (JFK/KJFK)","London / Heathrow (LHR/EGLL)",08:30:00,17:00:00,03:30:00,"British Airways (BA/BAW)","Aerospatiale BAC Concorde (CONC)",G-BOAG,3A,1,3,1,""
2009-06-30 MSP DTW number=NW238 airline=NWA dep=11:20 arr=13:50 type=B753 seat=25B class=economy
2010-05-30 CLT PHL number=US1872 airline=USA dep=06:00 arr=07:20 type=A321 reg=N185UW seat=27E class=economy
2010-06-05 PHL CLT number=US1903 airline=USA dep=17:55 arr=19:15 type=A321 reg=N162UW seat=23A class=economy
2011-09-23 CLT PHL number=US1872 airline=USA dep=06:00 arr=07:20 type=A321 reg=N185UW seat=18A class=economy
2011-09-26 PHL CLT number=US1903 airline=USA dep=17:55 arr=19:15 type=A321 reg=N162UW seat=28B class=economy
2012-02-11 EWR IAH number=CO1 airline=COA dep=08:00 arr=10:10 type=B764 reg=N76062 seat=4B class=business | Airline=Continental Airlines (CO/COA)
2013-03-10 ATL LAX number=DL1155 airline=DAL dep=00:30 arr=01:40 type=B763 reg=N125DL seat=31A class=economy | Note=spring forward at two
2014-06-05 CLT PHL number=US1872 airline=USA dep=06:00 arr=07:20 type=A321 reg=N507AY seat=11C class=economy
2014-06-09 PHL CLT number=US1903 airline=USA dep=17:55 arr=19:15 type=A321 reg=N185UW seat=15F class=economy
2015-11-01 PHX DEN number=WN3417 airline=SWA dep=06:15 arr=07:55 type=B737 reg=N7811F class=economy | Note=Arizona has no DST
2016-05-20 ORD TOL number=AA3220 airline=AAL dep=22:25 arr=00:20+1 type=E145 reg=N678AE seat=9A class=economy | Airline=American Airlines (AA/AAL) ; Aircraft=Embraer ERJ-145 (E145)
2017-05-15 SEA ANC number=AS93 airline=ASA dep=09:00 arr=11:15 type=B739 reg=N491AS seat=26D class=economy
2017-05-17 ANC SEA number=AS98 airline=ASA dep=23:55 arr=04:10+1 type=B739 reg=N303AS seat=12A class=economy
2017-11-20 ANC DUT number=AS3296 airline=ASA dep=14:00 arr=16:55 type=SB20 reg=N681PA seat=7A class=economy | Aircraft=Saab 2000 (SB20) ; Note=diversion feared
2018-07-04 OTZ OME number=8E621 airline=BRG dep=13:10 arr=13:55 type=B190 reg=N15GA class=economy |= 2018-07-04,8E621,"Kotzebue / Ralph Wien Memorial (OTZ/PAOT)","Nome / Nome (OME/PAOM)",13:10:00,13:55:00,00:45:00,"Bering Air (8E/BRG)","Beechcraft 1900D (B190)",N15GA,,0,1,4,""
2019-09-23 SEA ANC number=AS93 airline=ASA dep=09:00 arr=11:15 type=B739 reg=N303AS seat=29B class=economy
2019-09-28 ANC SEA number=AS98 airline=ASA dep=23:55 arr=04:10+1 type=B739 reg=N303AS seat=23B class=economy
2020-08-20 BQK ATL number=DL5302 airline=DAL dep=17:40 arr=18:35 type=CRJ2 reg=N8894A seat=10D class=economy | Aircraft=Canadair CRJ-200 (CRJ2)
2022-12-31 ANC HNL number=AS819 airline=ASA dep=17:35 arr=22:25 type=B739 reg=N485AS seat=12F class=economy |= 2022-12-31,AS819,"Anchorage / Ted Stevens Anchorage (ANC/PANC)","Honolulu / Daniel K. Inouye (HNL/PHNL)",17:35:00,22:25:00,05:50:00,"Alaska Airlines (AS/ASA)","Boeing 737-900 (B739)",N485AS,12F,1,1,1,"new year's eve over the sea"
2023-04-02 ANC ADK number=AS181 airline=ASA type=B737 | Note=planned
`,
  ),
  sample(
    'b',
    'fr24, Berlin renamed by the program, an evening without a number',
    'flightdiary_2022_02_22_20_22.csv',
    newer,
    `
2022-02-20 BER DOH number=QR82 airline=QTR dep=14:55 arr=22:40 type=B789 seat=14A class=economy |= 2022-02-20,QR82,"Berlin / Brandenburg (BER/EDDB)","Doha / Hamad (DOH/OTHH)",14:55:00,22:40:00,05:45:00," (/)","Boeing 787-9 (B789)",,14A,1,1,1,"",9,8,,6
2021-07-07 BER TFS number=DE1446 airline=CFG dep=05:10 arr=09:00 type=A321 reg=D-AIAC seat=31A class=economy | To=Tenerife / South (TFS/GCTS) ; Aircraft=Airbus A321-211 (A321)
2020-11-09 BER MUC number=LH1941 airline=DLH dep=08:15 arr=09:20 type=A320 reg=D-AIZN seat=9F class=economy
2019-10-27 TXL DUS number=EW9041 airline=EWG dep=06:30 arr=07:40 type=A319 reg=D-AKNS seat=1A class=economy |= 2019-10-27,EW9041,"Berlin / Tegel (TXL/EDDT)","Dusseldorf / Dusseldorf (DUS/EDDL)",06:30:00,07:40:00,01:10:00,"Eurowings (EW/EWG)","Airbus A319 (A319)",D-AKNS,1A,1,1,2,"",9,8,7,6
2019-02-10 ? BSL number=DS1172 airline=EZS dep=07:10 arr=08:40 type=A320 reg=HB-JYA seat=6A class=economy | From=Berlin / Brandenburg (BER/EDDB) ; Duration=01:30:00
2017-11-14 TXL VIE number=HG8183 airline=NLY dep=18:20 arr=19:30 type=A320 reg=D-ABHN
2017-10-27 MUC TXL number=AB6210 airline=BER dep=21:55 arr=23:00 type=A320 reg=D-ABNW seat=30F class=economy | Note=The last one
2017-03-17 CGN TXL number=4U8036 airline=GWI dep=20:25 arr=21:30 type=A319 reg=D-AGWB seat=21F class=economy
2017-03-12 TXL CGN number=4U8031 airline=GWI dep=06:45 arr=07:50 type=A319 reg=D-AGWB seat=7C class=economy
2016-10-10 CGN FRA class=private |= 2016-10-10,,"Cologne / Bonn (CGN/EDDK)","Frankfurt / Frankfurt (FRA/EDDF)",00:00:00,00:00:00,00:40:00," (/)"," ()",,,0,5,3,"crew shuttle, no number",9,8,,
2016-08-26 BRU SXF number=FR7542 airline=RYR dep=12:05 arr=13:20 type=B738 reg=EI-EKB seat=20C class=economy
2016-08-24 SXF BRU number=FR7541 airline=RYR dep=09:20 arr=10:35 type=B738 reg=EI-EKB seat=19C class=economy
2015-08-08 DUS HER number=AB2866 airline=BER dep=04:45 arr=09:00 type=A320 reg=D-ABNY seat=13A class=economy | Airline=Air Berlin (AB/BER) ; Note=strike, "almost" cancelled
2015-05-13 CGN TXL number=4U8036 airline=GWI dep=20:25 arr=21:30 type=A319 reg=D-AGWB seat=26C class=economy
2015-05-08 TXL CGN number=4U8031 airline=GWI dep=06:45 arr=07:50 type=A319 reg=D-AKNF seat=27E class=economy
2014-05-08 BRU SXF number=FR7542 airline=RYR dep=12:05 arr=13:20 type=B738 reg=EI-DWF seat=28C class=economy
2014-05-07 SXF BRU number=FR7541 airline=RYR dep=09:20 arr=10:35 type=B738 reg=EI-DWF seat=21D class=economy
2013-12-12 CGN TXL number=4U8036 airline=GWI dep=20:25 arr=21:30 type=A319 reg=D-AGWB seat=19E class=economy
2013-12-06 TXL CGN number=4U8031 airline=GWI dep=06:45 arr=07:50 type=A319 reg=D-AKNF seat=27C class=economy
2012-09-01 TXL JFK number=AB7450 airline=BER dep=12:30 arr=14:30 type=A332 reg=D-ALPA seat=20H class=economy
2007-06-01 THF BRU dep=09:20 arr=11:00 type=D328 seat=4A class=economy | Flight number= ; Airline= (/) ; Aircraft=Fairchild Dornier 328 (D328)
`,
  ),
]
