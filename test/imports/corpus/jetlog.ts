// jetlog's CSV: airports and airlines by ICAO code, CRLF, minutes and km, free text for the aircraft.
import { cellsIn, csvRow, dayAndClock, kmOf, type Leg, minutesOf, placeOf, sample, typeOf } from './life.ts'
import type { Sample } from './sample.ts'

const COLUMNS =
  'date,origin,destination,departure_time,arrival_time,arrival_date,seat,aircraft_side,ticket_class,purpose,duration,distance,airplane,airline,tail_number,flight_number,notes'.split(
    ',',
  )
const OLD = COLUMNS.filter((name) => name !== 'arrival_date' && name !== 'aircraft_side')

function row(leg: Leg): Record<string, string> {
  const { value } = leg
  const arrival = dayAndClock(leg.date, value.arr!)
  const minutes = minutesOf(leg)
  return {
    date: leg.date,
    origin: placeOf(leg.from).icao,
    destination: placeOf(leg.to).icao,
    departure_time: value.dep!,
    arrival_time: value.arr ? arrival.clock : '',
    arrival_date: value.arr && arrival.date !== leg.date ? arrival.date : '',
    seat: ['window', 'middle', 'aisle', ''][leg.index % 4]!,
    aircraft_side: ['left', 'right', ''][leg.index % 3]!,
    ticket_class: value.class!,
    purpose: leg.index % 2 ? 'leisure' : 'business',
    duration: minutes === undefined ? '' : String(minutes),
    distance: String(kmOf(leg)),
    airplane: value.type ? (leg.index % 2 ? value.type : `${typeOf(value.type).name} (${value.type})`) : '',
    airline: value.airline!,
    tail_number: value.reg!,
    flight_number: value.number!,
  }
}

const columns =
  (names: string[], end = '\r\n') =>
  (legs: Leg[]) => {
    const rows = legs.map((leg) => {
      if (leg.raw !== undefined) return leg.raw
      const made = Object.fromEntries(Object.entries(row(leg)).filter(([name]) => names.includes(name)))
      return csvRow(cellsIn(names, made, leg))
    })
    return `${[names.join(','), ...rows].join(end)}${end}`
  }

export const today = columns(COLUMNS)
const older = columns(OLD)
/** A backup that passed through another system. */
const unix = columns(COLUMNS, '\n')

export const jetlog: Sample[] = [
  sample(
    'a',
    'jetlog, Germany, old code of a dead airport, line breaks in notes',
    'jetlog.csv',
    today,
    `
2017-01-25 EDDT LSZH number=LX977 airline=SWR dep=11:20 arr=12:35 type=BCS1 reg=HB-JBA
2017-01-27 LSZH EDDT number=LX970 airline=SWR dep=08:15 arr=09:30 type=BCS1 reg=HB-JBG
2017-08-01 EDDT EIDW number=EI333 airline=EIN dep=11:10 arr=12:10 type=A320 reg=EI-DVJ class=economy | notes=first line\\nsecond line, with comma
2018-08-03 EDDT LSZH number=LX977 airline=SWR dep=11:20 arr=12:35 type=BCS1 reg=HB-JBG
2018-08-07 LSZH EDDT number=LX970 airline=SWR dep=08:15 arr=09:30 type=BCS1 reg=HB-JBG
2018-12-01 EDDM ZUUU number=CA432 airline=CCA dep=12:40 arr=05:10+1 type=A332 reg=B-6536 class=business
2019-02-13 EDDH EDDM number=LH2075 airline=DLH dep=16:00 arr=17:10 type=A321 reg=D-AIDA
2019-02-16 EDDM EDDH number=LH2080 airline=DLH dep=18:15 arr=19:25 type=A321 reg=D-AIDA
2019-03-31 EDDH LTBA number=TK1664 airline=THY dep=01:55 arr=06:45 type=B738 reg=TC-JVA class=economy | notes=clock changed while boarding
2019-05-01 EDDH LTFM number=TK1664 airline=THY dep=11:20 arr=15:10 type=B39M reg=TC-LYA class=economy
2020-05-10 EDDH EDDM number=LH2075 airline=DLH dep=16:00 arr=17:10 type=A321 reg=D-AISQ
2020-05-13 EDDM EDDH number=LH2080 airline=DLH dep=18:15 arr=19:25 type=A321 reg=D-AISQ
2020-10-31 EDDB EDDM airline=DLH dep=19:00 arr=20:05 type=A320
2021-06-17 EDDH EDDM number=LH2075 airline=DLH dep=16:00 arr=17:10 type=A321 reg=D-AIDA
2021-06-18 EDDM EDDH number=LH2080 airline=DLH dep=18:15 arr=19:25 type=A321 reg=D-AISQ
2021-09-15 EDDB LEMD number=I23676 airline=IBS dep=13:25 arr=16:05 type=A20N reg=EC-NFZ class=economy | airplane=A320neo
2022-06-30 EDDF OMDB number=EK46 airline=UAE dep=22:20 arr=06:30+1 type=A388 reg=A6-EUV class=economy+
2023-01-05 EDDF KATL number=DL15 airline=DAL dep=10:25 arr=13:40 type=? class=first | airplane=Boeing 767
`,
  ),
  sample(
    'a',
    'jetlog, the older form without dates of arrival',
    'jetlog_export.csv',
    older,
    `
2014-11-03 RJAA PHNL number=DL578 airline=DAL dep=21:00 arr=09:45 type=B752 reg=N627NW class=economy
2015-01-10 PHNL RJAA number=HA821 airline=HAL dep=14:50 arr=17:35+1 type=A332 reg=N385HA class=economy
2015-05-14 RJTT RJOO number=JL107 airline=JAL dep=08:30 arr=09:30 type=B772 reg=JA8979
2015-05-20 RJOO RJTT number=JL134 airline=JAL dep=19:30 arr=20:30 type=B772 reg=JA8979
2015-06-06 RJBB WSSS number=TR867 airline=TGW dep=13:35 arr=18:50 type=B788 reg=9V-OFD class=economy
2016-02-16 RJAA RKSI number=OZ101 airline=AAR dep=13:30 arr=15:30 type=A333 reg=HL7793
2016-02-17 RKSI RJAA number=OZ102 airline=AAR dep=10:00 arr=12:00 type=A333 reg=HL7754
2016-03-15 RJTT RJOO number=JL107 airline=JAL dep=08:30 arr=09:30 type=B772 reg=JA772J
2016-03-17 RJOO RJTT number=JL134 airline=JAL dep=19:30 arr=20:30 type=B772 reg=JA772J
2016-04-29 RJTT VHHH number=NH859 airline=ANA dep=08:50 arr=11:45 type=B789 reg=JA830A class=business | duration=215
2017-09-01 RJSS RCTP number=BR117 airline=EVA dep=15:45 arr=18:00 type=A321 reg=B-16208
2018-02-11 RJCC UHSS number=HZ4537 airline=SHU dep=17:20 arr=20:25 type=? | airplane=DHC-8
2018-05-05 RJTT EGLL number=BA8 airline=BAW dep=08:50 arr=12:35 type=B77W reg=G-STBD class=economy
2018-11-15 RJAA RKSI number=OZ101 airline=AAR dep=13:30 arr=15:30 type=A333 reg=HL7754
2018-11-20 RKSI RJAA number=OZ102 airline=AAR dep=10:00 arr=12:00 type=A333 reg=HL7754
2019-01-07 YSSY RJTT number=NH890 airline=ANA dep=20:45 arr=04:25+1 type=B789 reg=JA875A
2019-02-17 RJTT RJOO number=JL107 airline=JAL dep=08:30 arr=09:30 type=B772 reg=JA772J
2019-02-21 RJOO RJTT number=JL134 airline=JAL dep=19:30 arr=20:30 type=B772 reg=JA8979
`,
  ),
  sample(
    'a',
    'jetlog, an Alaskan, airlines whose code is a word',
    'flights.csv',
    unix,
    `
2023-08-24 KSEA PANC number=AS97 airline=ASA dep=20:05 arr=22:20 type=B739 reg=N468AS
2023-08-20 PANC KSEA number=AS92 airline=ASA dep=07:15 arr=11:30 type=B739 reg=N462AS
2023-08-08 PABE PANC airline=RVF dep=10:40 arr=11:55 type=? reg=N1132Q | airplane=Cherokee or Caravan?
2023-03-12 PANC PHKO number=AS897 airline=ASA dep=17:00 arr=20:55 type=B738 reg=N583AS class=economy
2022-10-01 RCTP RPLL number=CI701 airline=CAL dep=08:00 arr=09:55 type=B738 reg=B-18659 class=economy
2022-09-03 KSEA RCTP number=BR25 airline=EVA dep=02:10 arr=05:10+1 type=B77W reg=B-16740 class=business
2022-07-03 PANC PAFA number=AS2128 airline=ASA dep=21:10 arr=22:25 type=DH8D reg=N421QX
2022-07-01 PAFA PANC number=AS2125 airline=ASA dep=09:40 arr=10:55 type=DH8D reg=N421QX
2021-06-15 PANC PADK number=AS177 airline=ASA dep=12:00 arr=13:45 type=B737 reg=N614AS class=economy
2021-02-27 KSEA PANC number=AS97 airline=ASA dep=20:05 arr=22:20 type=B739 reg=N462AS
2021-02-26 PANC KSEA number=AS92 airline=ASA dep=07:15 arr=11:30 type=B739 reg=N468AS
2020-05-12 PANC PAFA number=AS2128 airline=ASA dep=21:10 arr=22:25 type=DH8D reg=N421QX
2020-05-10 PAFA PANC number=AS2125 airline=ASA dep=09:40 arr=10:55 type=DH8D reg=N421QX
2020-03-07 KPDX KGEG number=AS2230 airline=ASA dep=22:45 arr=23:45 type=? | airplane=Embraer 175
2019-10-12 KSEA ZBAA number=HU496 airline=CHH dep=13:10 arr=14:55+1 type=B788 reg=B-2728 class=economy
2019-07-21 KSEA CYVR number=AC8097 airline=ACA dep=17:50 arr=18:45 type=DH8D reg=C-GGOK class=economy
2019-02-09 KSEA PANC number=AS97 airline=ASA dep=20:05 arr=22:20 type=B739 reg=N462AS
2019-02-08 PANC KSEA number=AS92 airline=ASA dep=07:15 arr=11:30 type=B739 reg=N468AS
`,
  ),
  sample(
    'b',
    'jetlog, France and the far islands',
    'jetlog (3).csv',
    today,
    `
2016-06-17 LFPO LFBO number=AF6120 airline=AFR dep=07:20 arr=08:30 type=A320 reg=F-HBNA
2016-06-19 LFBO LFPO number=AF6145 airline=AFR dep=18:40 arr=19:50 type=A320 reg=F-HBNA
2016-12-19 LFPG NTAA number=TN7 airline=THT dep=16:10 arr=00:10+1 type=A343 reg=F-OSUN class=economy | notes=via LAX\\nsans changer d'avion
2017-02-02 NTAA SCIP number=LA836 airline=LAN dep=00:20 arr=10:50 type=B788 reg=CC-BBD class=economy
2017-02-09 SCIP SCEL number=LA842 airline=LAN dep=13:45 arr=20:40 type=B789 reg=CC-BGC class=economy
2018-08-13 LFPO FMEE number=SS910 airline=CRL dep=19:45 arr=09:15+1 type=A333 reg=F-HSKY class=economy+
2018-11-23 LFLL LFRS number=U24335 airline=EZY dep=06:55 arr=08:05 type=A319 reg=G-EZDN
2018-11-27 LFRS LFLL number=U24348 airline=EZY dep=20:15 arr=21:25 type=A319 reg=G-EZDN
2019-05-18 LFPO LFBO number=AF6120 airline=AFR dep=07:20 arr=08:30 type=A320 reg=F-GKXS
2019-05-23 LFBO LFPO number=AF6145 airline=AFR dep=18:40 arr=19:50 type=A320 reg=F-HBNA
2019-11-02 FMEE FIMP number=MK239 airline=MAU dep=09:15 arr=10:10 type=AT75 reg=3B-NBN | airplane=ATR 72-500
2020-01-17 LFLL LFRS number=U24335 airline=EZY dep=06:55 arr=08:05 type=A319 reg=G-EZDN
2020-01-21 LFRS LFLL number=U24348 airline=EZY dep=20:15 arr=21:25 type=A319 reg=G-EZDN
2020-01-27 LFPO LFBO number=AF6120 airline=AFR dep=07:20 arr=08:30 type=A320 reg=F-HBNA
2020-02-02 LFBO LFPO number=AF6145 airline=AFR dep=18:40 arr=19:50 type=A320 reg=F-HBNA
2020-02-23 FMEE FMCZ number=UU274 airline=REU dep=13:00 arr=14:10 type=B738 reg=F-ONGB class=economy
2021-05-25 EYVI LGAV number=FR4979 airline=RYS dep=11:00 arr=13:40 type=B738 reg=SP-RSM
2022-10-30 LFPG SBGR number=AF454 airline=AFR dep=23:25 arr=07:00+1 type=B77W reg=F-GSQD class=business
`,
  ),
  sample(
    'b',
    'jetlog, older form, Nordic, duration that ignores zones',
    'jetlog.csv',
    older,
    `
2013-03-31 EKCH BIKF number=FI205 airline=ICE dep=02:15 arr=03:15 type=B752 reg=TF-FIN class=economy
2013-11-09 EFHK ESSA number=AY639 airline=FIN dep=08:40 arr=08:40 type=E190 reg=OH-LKI
2013-11-15 ESSA EFHK number=AY644 airline=FIN dep=19:30 arr=21:30 type=E190 reg=OH-LKI
2013-12-24 EKCH EKVG number=RC453 airline=FLI dep=11:35 arr=12:40 type=A319 reg=OY-RCG | duration=130
2014-03-06 ESSA ENGM number=SK1489 airline=SAS dep=20:45 arr=21:40 type=B736 reg=LN-RRZ
2014-03-08 ENGM ESSA number=SK852 airline=SAS dep=14:00 arr=14:55 type=B736 reg=LN-RRZ
2014-07-07 ENZV EGPD number=WF398 airline=WIF dep=15:00 arr=15:25 type=DH8A reg=LN-WIE | airplane=DHC-8-100
2015-10-25 ESSA EVRA number=BT102 airline=BTI dep=06:15 arr=08:40 type=DH8D reg=YL-BBX | airplane=Dash 8 Q400
2016-07-23 EFHK ESSA number=AY639 airline=FIN dep=08:40 arr=08:40 type=E190 reg=OH-LKI
2016-07-28 ESSA EFHK number=AY644 airline=FIN dep=19:30 arr=21:30 type=E190 reg=OH-LKR
2016-09-17 EFHK UAAA airline=KZR type=B752
2016-09-20 ESSA ENGM number=SK1489 airline=SAS dep=20:45 arr=21:40 type=B736 reg=LN-RRZ
2016-09-26 ENGM ESSA number=SK852 airline=SAS dep=14:00 arr=14:55 type=B736 reg=LN-RPA
2017-02-01 EETN EFHK number=AY106 airline=FIN dep=05:25 arr=06:05 type=AT75 reg=OH-ATJ
2017-09-13 EFHK ESSA number=AY639 airline=FIN dep=08:40 arr=08:40 type=E190 reg=OH-LKI
2017-09-16 ESSA EFHK number=AY644 airline=FIN dep=19:30 arr=21:30 type=E190 reg=OH-LKI
2018-06-20 BGSF EKCH number=GL781 airline=GRL dep=16:30 arr=01:00+1 type=A332 reg=OY-GRN class=economy | duration=510
2018-10-28 ESGG EHAM number=KL1162 airline=KLM dep=17:05 arr=18:30 type=B737 reg=PH-BGP class=business
`,
  ),
  sample(
    'b',
    'jetlog, an Indian, half-hour zones and rebrands',
    'jetlog-2024.csv',
    unix,
    `
2008-05-25 VOBL VIDP number=IT202 airline=KFR dep=06:10 arr=08:40 type=A320 reg=VT-KFA
2016-01-01 VIDP TAS number=HY424 airline=UZB dep=02:50 arr=04:40 type=A320 reg=UK32016 | destination=UTTT
2016-06-16 VABB VOCI number=9W403 airline=JAI dep=05:50 arr=07:35 type=B738 reg=VT-JFA
2016-06-19 VOCI VABB number=9W404 airline=JAI dep=08:35 arr=10:20 type=B738 reg=VT-JFA
2017-07-09 VOMM VCBI number=UL122 airline=ALK dep=03:55 arr=05:10 type=A320 reg=4R-ABM
2018-01-12 VABB VOCI number=9W403 airline=JAI dep=05:50 arr=07:35 type=B738 reg=VT-JTH
2018-01-16 VOCI VABB number=9W404 airline=JAI dep=08:35 arr=10:20 type=B738 reg=VT-JFA
2018-03-23 VIDP VOBL number=6E5011 airline=IGO dep=06:00 arr=08:30 type=A20N reg=VT-IHH
2018-03-25 VOBL VIDP number=6E6194 airline=IGO dep=21:15 arr=23:45 type=A20N reg=VT-IZA
2018-11-11 VIDP OAKB number=FG312 airline=AFG dep=15:10 arr=15:50 type=? reg=YA-KAM | airplane=767
2019-08-05 VABB HKJK number=KQ203 airline=KQA dep=05:15 arr=08:35 type=B788
2020-03-21 VECC VGHS number=6E1855 airline=IGO dep=17:40 arr=19:05 type=AT76 reg=VT-IRA | airplane=ATR 72-600 (AT76)
2020-11-12 VIDP VOBL number=6E5011 airline=IGO dep=06:00 arr=08:30 type=A20N reg=VT-IHH
2020-11-18 VOBL VIDP number=6E6194 airline=IGO dep=21:15 arr=23:45 type=A20N reg=VT-IHH
2022-06-30 VIDP VOBL number=6E5011 airline=IGO dep=06:00 arr=08:30 type=A20N reg=VT-IHH
2022-07-02 VOBL VIDP number=6E6194 airline=IGO dep=21:15 arr=23:45 type=A20N reg=VT-IHH
2022-08-15 VOHS VTBS number=TG330 airline=THA dep=00:55 arr=05:45 type=A359 reg=HS-THU class=business
2023-12-30 VNKT VIDP number=AI216 airline=AIC dep=17:50 arr=19:05 type=A20N reg=VT-EXM class=first
`,
  ),
]
