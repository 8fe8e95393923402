// The result of each reader for the files of its source: one line per record, written manually from the file (`said.ts`
// describes the format). No names are looked up here; `sources.test.ts` has the verdicts of the same files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../server/domain/languages.ts'
import { readDelimited } from '../../server/services/imports/content/delimited.ts'
import { howTo } from '../../server/services/imports/readers/how-to.ts'
import { joinedNumber } from '../../server/services/imports/readers/tables/cells.ts'
import { fr24 } from '../../server/services/imports/readers/tables/fr24.ts'
import { openflights } from '../../server/services/imports/readers/tables/openflights.ts'
import { sources } from '../../server/services/imports/reading/sources.ts'
import { columnsIn, fileOf, saidBy, saidIn } from './said.ts'

const expected: Record<string, string[]> = {
  'aita/clean.txt': [
    '8 date:2019-05-06 from:CPH to:ZRH airline:LX flightNumber:LX1265 aircraft:320 departure:2019-05-06T17:55/utc arrival:2019-05-06T19:45/utc bookingReference:Q7RT2M me:2A,business',
    '9 date:2019-05-10 from:ZRH to:CPH airline:LX flightNumber:LX1268 aircraft:32N departure:2019-05-10T05:10/utc arrival:2019-05-10T06:55/utc bookingReference:Q7RT2M {E-ticket: 2201234567890} me:14F,economy',
    '16 skip:not_mine date:2019-07-01 from:OSL to:LHR airline:BA flightNumber:BA763 departure:2019-07-01T07:00/utc arrival:2019-07-01T09:20/utc',
  ],
  'aita/nasty.txt': [
    '8 date:2018-12-31 from:LAX to:JFK airline:B6 flightNumber:B624 aircraft:32B departure:2019-01-01T07:30/utc arrival:2019-01-01T12:45/utc me:21C,economy',
    '9 date:2019-02-01 from:LGW to:FCO airline:U2 flightNumber:U28 departure:2019-02-01T06:00/utc arrival:2019-02-01T08:30/utc me:economy+',
    '10 date:2019-03-01 from:SYD to:CHC airline:EK flightNumber:EK412 aircraft:388 departure:2019-03-01T08:00 arrival:2019-03-01T13:05 !value_not_understood:seatClass:SLEEPER',
    '11 date:2019-04-01 from:OSL to:XXQ airline:D8 flightNumber:D83502 departure:2019-04-01T06:00/utc arrival:2019-04-01T08:00/utc me:1A,first',
    '12 error:unreadable_row',
    '13 from:FRA to:MUC airline:LH me:economy',
  ],
  'aita/trips-only.txt': [
    '3 date:2016-11-05 from:JFK to:LHR airline:VS flightNumber:VS4 aircraft:333 departure:2016-11-06T02:15/utc arrival:2016-11-06T08:55/utc me:31H,economy',
    '4 date:2016-11-06 from:LJU to:MUC airline:JP flightNumber:JP901 aircraft:CR9 departure:2016-11-06T10:10/utc arrival:2016-11-06T11:10/utc me:business',
  ],
  'byair/clean.csv': [
    '2 date:2025-09-01 from:MAD to:LHR flightNumber:IB3170 departure:07:50 arrival:09:20 bookingReference:Q7RT2M externalId:ab12 me:aisle,12C,economy+,business',
    '3 date:2025-09-03 from:BKK to:HKT flightNumber:SL1508 departure:10:05 arrival:11:30 note:Delayed externalId:ab13 me:window,economy+,leisure',
    '4 skip:not_mine date:2025-10-11 from:CPH to:LHR flightNumber:SK501 departure:08:00 arrival:09:05 externalId:ab14 me:window,1A,first,leisure',
  ],
  'byair/excel.csv': [
    '3 date:31/12/2024 from:SYD to:SIN flightNumber:QF1 departure:15:10 arrival:20:30 externalId:e1 me:middle,economy,leisure',
    '4 date:01/02/2025 from:SIN to:SYD flightNumber:QF2 departure:21:15 arrival:08:05 externalId:e2 me:aisle,business,business',
  ],
  'byair/nasty.csv': [
    '2 date:2025-03-30 from:LGW to:BCN flightNumber:U208 departure:00:30 arrival:04:40 note:Clock change\non the way externalId:n1 me:pilot,crew',
    '4 date:2025-03-30 from:MNL to:CEB flightNumber:5J 0553 departure:23:50 arrival:01:15 externalId:n2 me:jumpseat,leisure',
    '5 date:2025-03-31 from:LON to:CEB flightNumber:X01 externalId:n3 me:leisure !value_not_understood:seatClass:lounge',
    '6 date:2025-03-31 from:ZRH to:JFK flightNumber:LX14 departure:10:00 externalId:n4 me:private,other',
    '7 date:2025-03-31 from:ZRH to:JFK flightNumber:LX14 departure:10:00 externalId:n4 me:private,other',
  ],
  'flighty/clean.csv': [
    '2 date:2025-02-14 to:JFK from:CDG airline:AFR flightNumber:AFR6 aircraft:"Airbus A350-900" aircraftReg:FHTYA departureScheduled:2025-02-14T10:30 takeoffScheduled:2025-02-14T10:50 takeoffActual:2025-02-14T11:15 landingScheduled:2025-02-14T12:30 landingActual:2025-02-14T12:18 arrivalScheduled:2025-02-14T12:45 departure:2025-02-14T10:52 arrival:2025-02-14T12:31 departureTerminal:2E departureGate:K41 arrivalTerminal:1 arrivalGate:6 bookingReference:Q7RT2M externalId:6f0c1111-0000-4000-8000-000000000001 me:window,23L,economy,leisure',
    '3 date:2024-12-01 to:SFO from:NAN airline:FJI flightNumber:FJI810 aircraft:"Airbus A330-200" aircraftReg:DQFJU departureScheduled:2024-12-01T01:40 arrivalScheduled:2024-11-30T15:20 departure:2024-12-01T01:55 arrival:2024-11-30T15:05 arrivalTerminal:I arrivalGate:A9 externalId:6f0c1111-0000-4000-8000-000000000002 me:window,11A,economy+,leisure',
    '4 date:2026-12-20 to:LHR from:BER airline:BAW flightNumber:BAW983 aircraft:"Airbus A320neo" departureScheduled:2026-12-20T18:05 arrivalScheduled:2026-12-20T19:05 departure:2026-12-20T18:05 arrival:2026-12-20T19:05 departureTerminal:1 arrivalTerminal:5 externalId:6f0c1111-0000-4000-8000-000000000003',
  ],
  'flighty/nasty.csv': [
    '2 skip:cancelled date:2024-01-21 to:SIN from:SFO airline:UAL flightNumber:UAL1 aircraft:"Boeing 787-9" aircraftReg:N24972 departureScheduled:2024-01-21T22:55 arrivalScheduled:2024-01-23T07:00 departure:2024-01-21T22:55 arrival:2024-01-23T07:00 departureTerminal:I departureGate:G9 externalId:f-1 outcome:cancelled',
    '3 date:2024-03-08 to:NUE plannedTo:MUC outcome:diverted from:BER airline:DLH flightNumber:DLH2039 aircraft:"Airbus A320" aircraftReg:DAIZA departureScheduled:2024-03-08T19:45 landingActual:2024-03-08T21:10 arrivalScheduled:2024-03-08T20:55 departure:2024-03-08T20:02 arrival:2024-03-08T21:22 departureTerminal:1 arrivalTerminal:2 bookingReference:ABC234 note:Fog in Munich,\nbus from Nuremberg externalId:f-2 me:pilot,4D,business,crew',
    '5 date:2024-03-09 to:NUE plannedTo:MUC outcome:diverted from:BER airline:DLH flightNumber:DLH2041 departureScheduled:2024-03-09T19:45 arrivalScheduled:2024-03-09T20:55 departure:2024-03-09T19:50 externalId:f-7',
    '6 date:2023-11-30 to:BER from:MUC airline:DLH flightNumber:DLH2040 aircraft:"Airbus A320" departureScheduled:2023-11-30T23:40 arrivalScheduled:2023-12-01T00:50 departure:2023-12-01T00:25 arrival:2023-12-01T01:30 externalId:f-3 me:copilot,business !value_not_understood:seatClass:SUITE_BED',
    '7 date:1987-06-01 to:LHR from:JFK airline:PAA flightNumber:PAA102 externalId:f-4',
    '8 date:2024-10-27 to:FCO from:LGW airline:EZY flightNumber:EZY8642 aircraft:"Airbus A320" aircraftReg:GEZOA departureScheduled:2024-10-27T06:10 arrivalScheduled:2024-10-27T09:40 departure:2024-10-27T06:10 arrival:2024-10-27T09:40 departureTerminal:N externalId:f-5 me:aisle,7C,economy,leisure',
    '9 date:2024-10-27 to:FCO from:LGW airline:EZY flightNumber:EZY8642 aircraft:"Airbus A320" aircraftReg:GEZOA departureScheduled:2024-10-27T06:10 arrivalScheduled:2024-10-27T09:40 departure:2024-10-27T06:31 arrival:2024-10-27T09:52 departureTerminal:N externalId:f-5 me:aisle,7C,economy,leisure',
    '10 date:2024-11-31 to:FCO from:LGW airline:EZY flightNumber:EZY1 externalId:f-6',
  ],
  'flighty/older.csv': [
    '2 date:2019-08-02 to:SYD from:LAX airline:QFA flightNumber:QFA12 aircraft:"Airbus A380-800" aircraftReg:VHOQA departureScheduled:2019-08-02T22:30 takeoffScheduled:2019-08-02T22:50 takeoffActual:2019-08-02T23:02 landingScheduled:2019-08-04T06:00 landingActual:2019-08-04T05:51 arrivalScheduled:2019-08-04T06:15 departure:2019-08-02T22:41 arrival:2019-08-04T06:04 me:jumpseat,54K,first,other',
    '3 date:2018-04-05 to:ZRH from:TXL',
  ],
  'foreflight/clean.csv': [
    '11 date:2023-07-08 from:EDXP to:EDWG aircraft:C172 aircraftReg:D-EABC departure:08:10/asked arrival:08:26/asked takeoffActual:08:16/asked landingActual:08:23/asked duration:1080 durationStep:360 me:pilot',
    '12 date:2023-07-09 from:EDXP to:EDXP aircraft:P28A aircraftReg:D-EFGH departure:13:05/asked arrival:14:26/asked takeoffActual:13:15/asked landingActual:14:20/asked duration:4680 durationStep:360 note:Round trip, windy {Route: EDWG EDWJ} me:pilot with:"Maria Rossi" with:"Jan Novak",pilot',
    '13 skip:simulator date:2023-07-10 from:EDDH to:EDDH aircraft:"Redbird FMX" aircraftReg:SIM-1 duration:3600 durationStep:360 me:pilot',
  ],
  'foreflight/european.csv': [
    '12 date:12/31/22(mdy) from:KPAO to:KLAS aircraft:SR22 aircraftReg:N123AB departure:23:10/asked arrival:01:25/asked duration:8100 me:copilot with:"Ed Stone" with:"Dana Scott"',
    '13 date:1/2/23(mdy) from:KLAS to:KPAO aircraft:SR22 aircraftReg:N123AB takeoffActual:09:05/asked landingActual:11:10/asked duration:7560 durationStep:360 note:Two\nlines me:pilot',
    '15 skip:simulator date:1/3/23(mdy) from:KSFO to:KLAX aircraft:B738 aircraftReg:FFS9 duration:14400 durationStep:360 me:pilot',
    '16 date:1/4/23(mdy) from:KPAO aircraftReg:N9XYZ me:pilot !value_not_understood:duration:soon',
    '17 date:2/30/23(mdy) from:KPAO to:KPAO aircraftReg:N9XYZ me:pilot',
  ],
  'foreflight/flights-only.csv': [
    '8 date:2021-10-31 from:LSZH to:LSGG aircraftReg:HB-PGA takeoffActual:01:30/asked landingActual:02:25/asked duration:3240 durationStep:360 me:pilot',
    '9 skip:simulator date:2021-11-01 aircraftReg:HB-PGA me:pilot',
  ],
  'fr24/clean.csv': [
    '3 date:2018-10-06 from:SBGR/GRU "Sao Paulo / Guarulhos" to:LSZH/ZRH "Zurich / Zurich" airline:SWR/LX "Swiss" flightNumber:LX93 aircraft:B77W "Boeing 777-300ER" aircraftReg:HB-JNA departure:18:25 arrival:11:00 duration:41700 note:Sunrise over Morocco me:window,31K,economy,leisure',
    '4 date:2019-06-10 from:NZAA/AKL "Auckland / Auckland" to:NCRG/RAR "Rarotonga / Rarotonga" airline:ANZ/NZ "Air New Zealand" flightNumber:NZ46 aircraft:A320 "Airbus A320" aircraftReg:ZK-OXA departure:08:50 arrival:14:40 duration:13800 me:aisle,4C,business,leisure',
    '5 date:2019-03-10 from:KJFK/JFK "New York / John F. Kennedy" to:EGLL/LHR "London / Heathrow" airline:AAL/AA "American Airlines" flightNumber:AA100 aircraft:B77W "Boeing 777-300ER" aircraftReg:N718AN departure:18:10 arrival:06:25 duration:29700 me:middle,12J,economy+,business',
    '6 date:2020-02-29 from:EDDM/MUC "Munich / Munich" to:EDDH/HAM "Hamburg / Hamburg" airline:DLH/LH "Lufthansa" flightNumber:LH2082 aircraft:A321 "Airbus A321" duration:4500 me:first,crew',
  ],
  'fr24/excel.csv': [
    '2 date:14.09.2015 from:EDDL/DUS "Düsseldorf / Düsseldorf" to:EDDT/TXL "Berlin / Tegel" airline:BER/AB "Air Berlin" flightNumber:AB6001 aircraft:B738 "Boeing 737-800" aircraftReg:D-ABKA departure:06:45 arrival:07:55 duration:4200 note:Früh, aber pünktlich me:window,14F,economy,business',
    '3 date:03.11.2016 from:EGLL/LHR "London / Heathrow" to:EFHK/HEL "Helsinki / Vantaa" airline:FIN/AY "Finnair" flightNumber:AY832 aircraft:A359 "Airbus A350-900" aircraftReg:OH-LWA departure:10:20 arrival:15:15 duration:10500 me:window,21A,economy,leisure',
  ],
  'fr24/nasty.csv': [
    '3 date:2005-07-14 from:LMML/MLA "Malta / Malta International" to:EDDF/FRA "Frankfurt / Frankfurt" airline:KM "Air Malta" flightNumber:KM306 departure:07:00 duration:10200',
    '4 date:2021-08 from:EDLO/NA0 "Oerlinghausen / Oerlinghausen" to:EDLI "Bielefeld / Windelsbleiche" aircraft:C172 "Cessna 172" aircraftReg:D-EABC note:First line\nsecond, "quoted" line me:window,private,other',
    '6 date:1999 from:LGAT/ATH "Athens" to:LOWW/VIE "Vienna / Schwechat" me:economy !value_not_understood:seat:9 !value_not_understood:flightReason:7',
    '7 date:2022-05-03 from:EKCH/CPH "Copenhagen / Kastrup" to:ESSA/ARN "Stockholm / Arlanda" airline:SAS/SK flightNumber:SK1416 aircraft:A20N "Airbus A320neo" aircraftReg:SE-ROA departure:00:00? arrival:01:10 duration:4200',
    '8 date:2022-05-04 from:ESSA/ARN "Stockholm / Arlanda" to:EKCH/CPH "Copenhagen / Kastrup" airline:SAS/SK flightNumber:SK1417 aircraft:A20N "Airbus A320neo" aircraftReg:SE-ROB departure:00:00? arrival:21:35 duration:4200',
    '9 date:2022-05-04 from:ESSA/ARN "Stockholm / Arlanda" to:EKCH/CPH "Copenhagen / Kastrup" airline:SAS/SK flightNumber:SK1417 aircraft:A20N "Airbus A320neo" aircraftReg:SE-ROB departure:20:25 arrival:21:35 duration:4200',
    '10 date:2023-06-31 from:EDDM/MUC "Munich / Munich" to:EDDH/HAM "Hamburg / Hamburg" airline:DLH/LH "Lufthansa" flightNumber:LH1 departure:08:00 arrival:09:15 duration:4500',
    '11 date:2023-07-01 from:"Nowhere / Nowhere" to:EDDH/HAM "Hamburg / Hamburg" airline:"Never Heard Air" flightNumber:X09 aircraft:"Boeing 777" departure:08:00 arrival:09:15 duration:4500',
    '12 date:2023-07-02 from:EDDM/MUC "Munich / Munich" to:EDDH/HAM "Hamburg / Hamburg" airline:"Partner Wings" flightNumber:LH2043 departure:08:00 arrival:09:15 duration:4500',
  ],
  'jetlog/clean.csv': [
    '2 date:2021-03-02 from:EDDM to:LEMD airline:DLH flightNumber:LH1802 aircraft:A320 aircraftReg:D-AIUB departure:09:10 arrival:11:55 duration:9900 note:first line\nsecond line {Side of the aircraft: right} me:aisle,economy,business',
    '3 date:2022-10-30 from:KJFK to:EDDF airline:DLH flightNumber:LH401 aircraft:B748 "Boeing 747-8" aircraftReg:D-ABYA departure:16:30 arrival:2022-10-31T06:10 duration:31200 {Side of the aircraft: left} me:window,economy+,leisure',
    '4 date:2023-01-15 from:NZAA to:NCRG airline:ANZ flightNumber:NZ946 departure:09:50 arrival:2023-01-14T14:40 duration:13800 {Side of the aircraft: center} me:middle,business,other',
  ],
  'jetlog/nasty.csv': [
    '2 date:3/14/2020 from:EDDT to:LOWW airline:AUA flightNumber:OS 0228 aircraft:A320 aircraftReg:OELBO departure:07:05 arrival:08:20 duration:4500 note:=1+1 is text me:aisle,business,leisure',
    '3 date:3/29/2020 from:EDDT to:EGLL airline:BAW flightNumber:BA991 aircraft:JU52 "Junkers Ju 52/3m" departure:02:30 arrival:03:30 {Side of the aircraft: left} me:crew !value_not_understood:seat:sofa !value_not_understood:seatClass:cargo',
    '4 date:12/1/2020 from:EDDB to:EGLL arrival:08:30 !value_not_understood:departure:25:10',
    '5 date:13/13/2020 from:EDDB to:EGLL departure:07:10 arrival:08:30',
    '6 date:3/14/2020 from:EDDT to:LOWW airline:AUA flightNumber:OS228 aircraft:A320 aircraftReg:OELBO departure:07:05 arrival:08:20 duration:4500 note:=1+1 is text me:aisle,business,leisure',
    '8 date:11/2/2020 from:EDDB flightNumber:EW1 departure:06:00 duration:7200',
  ],
  'jetlog/older.csv': [
    '2 date:2019-05-03 from:EGLL to:KJFK airline:BAW flightNumber:BA175 aircraft:"Boeing 777-200" aircraftReg:G-VIIA departure:14:00 arrival:16:55 duration:10500 me:window,first,leisure',
    '3 date:2018-02-11 from:RJAA to:KLAX departure:17:20 arrival:10:30',
  ],
  'jetlovers/clean.csv': [
    '2 date:2016-04-01 from:VIE to:FRA airline:"Austrian" flightNumber:OS125 aircraft:"Airbus A320" aircraftReg:OE-LBO externalId:77 me:aisle,11C,economy,business',
    '3 date:2016-04-03 from:FRA to:JFK airline:"Lufthansa" flightNumber:LH400 aircraft:"Boeing 747-8" aircraftReg:D-ABYC externalId:78 me:window,81K,business,leisure',
    '4 date:2016-05-05 from:JFK to:LAX airline:"jetBlue Airways" flightNumber:B6123 aircraft:"Airbus A321" aircraftReg:N903JB externalId:79 me:middle,4D,business,other',
  ],
  'jetlovers/latin1.csv': [
    '2 date:2010-08-08 from:ZRH to:GVA airline:"Swiss" flightNumber:LX2800 aircraft:"Avro RJ100" aircraftReg:HB-IXR externalId:1 me:window,5A,economy,leisure',
    '3 date:2010-08-09 from:GVA to:ORY airline:"Régional" aircraft:"Embraer 190" externalId:2',
  ],
  'jetlovers/nasty.csv': [
    '2 date:2001-10-20 from:BRU to:VIE airline:"Sabena" flightNumber:SN 0273 aircraft:"Avro RJ85" externalId:80 me:economy+,crew',
    '3 date:1998-07-01 from:HKG to:FRA airline:"Cathay Pacific" flightNumber:289 aircraft:"Boeing 747" externalId:81 me:window,first,leisure',
    '4 date:not yet from:HKG to:FRA externalId:82',
    '5 date:2004-02-30 from:HKG to:FRA externalId:83',
    '6 date:2004-03 from:BER to:CDG externalId:84 !value_not_understood:seat:X !value_not_understood:seatClass:Q !value_not_understood:flightReason:Z',
    '7 date:2001-10-20 from:BRU to:VIE airline:"Sabena" flightNumber:SN 0273 aircraft:"Avro RJ85" externalId:80 me:economy+,crew',
  ],
  'logten/display.txt': [
    '2 date:03/04/2022 from:LEMD to:EDDM flightNumber:1802 aircraft:A320 aircraftReg:ECMXA departure:09:10/asked arrival:11:50/asked takeoffActual:09:25/asked landingActual:11:40/asked duration:9600 note:Quoted "remark" me:pilot',
    '3 date:03/25/2022 from:EDDM to:LEMD flightNumber:1803 aircraft:A320 aircraftReg:ECMXA departure:12:40/asked arrival:15:25/asked duration:9900 me:copilot',
  ],
  'logten/fields.txt': [
    '2 date:2023-05-01 from:EDDM to:EDDF flightNumber:LH98 aircraft:A320 aircraftReg:D-AIUB departure:07:05/asked arrival:08:09/asked departureScheduled:07:00/asked takeoffActual:07:20/asked landingActual:08:01/asked duration:3840 me:pilot with:"Jan Novak",copilot',
    '3 date:2023-05-01 from:EDDF to:EDDM flightNumber:LH99 aircraft:A320 aircraftReg:D-AIUB departure:22:40/asked arrival:23:45/asked departureScheduled:22:30/asked takeoffActual:22:55/asked landingActual:23:35/asked duration:3900 note:Late crew change {Route: ANEKI} me:copilot with:"Ada Byron",pilot',
  ],
  'logten/nasty.txt': [
    '2 date:7.5.2022 from:EDOJ to:EDOJ aircraft:"Glider X" aircraftReg:D-KABC takeoffActual:10:15/asked landingActual:11:45/asked duration:5400 note:Überlandflug me:pilot',
    '3 date:8.5.2022 from:EDDB to:QQQQ flightNumber:AB 1 departure:23:10/asked arrival:01:05/asked duration:6900 me:pilot',
    '4 date:40.5.2022 from:EDOJ to:EDOJ aircraftReg:D-KABC me:pilot',
    '5 from:EDOJ to:EDOJ aircraftReg:D-KABC duration:3600 me:pilot',
  ],
  'milesandmore/clean.json': [
    '- date:2024-01-09 from:FRA to:VIE airline:OS flightNumber:OS126 aircraft:320 departure:2024-01-09T09:30/utc arrival:2024-01-09T10:50/utc duration:4800 bookingReference:Q7RT2M {Status points: 20} {Award miles: 750} me:economy',
    '- date:2023-08-12 from:LAX to:MUC airline:LH flightNumber:LH453 aircraft:359 departure:2023-08-13T01:15/utc arrival:2023-08-13T12:45/utc duration:41400 {Status miles: 11952} {Status points: 200} {Qualifying points: 200} {HON points: 60} {Award miles: 5976} me:business',
  ],
  'milesandmore/nasty.json': [
    '- date:1997-04-02 from:MUC to:HKG airline:LH flightNumber:LH736 aircraft:744 {Status miles: 5645} me:economy',
    '- date:2022-03-27 from:ZRH to:LHR airline:LX flightNumber:LX318 aircraft:32S departure:2022-03-27T07:10/utc arrival:2022-03-27T05:40/utc me:economy+',
    '- date:2022-03-28 from:LHR to:ZRH airline:LX flightNumber:LX319 departure:2022-03-28T09:00/utc',
    '- error:unreadable_row',
    '- date:2022-13-01 from:LHR to:ZRH',
    '- date:2020-11-15 from:TXL airline:LH flightNumber:LH0179 departure:2020-11-15T06:00/utc arrival:2020-11-15T07:10/utc me:first',
    '- date:2019-05-04 from:FRA to:SIN airline:LH flightNumber:LH778 aircraft:388 departure:2019-05-04T20:05/utc arrival:2019-05-04T08:20/utc',
    '- date:2019-05-05 from:SIN to:FRA airline:LH flightNumber:LH779 aircraft:388 !times_dropped',
  ],
  'milesandmore/paged.json': [
    '- date:2019-12-31 from:GRU to:ZRH airline:LX flightNumber:LX93 aircraft:77W departure:2020-01-01T02:20/utc arrival:2020-01-01T13:55/utc duration:41700 me:economy+',
  ],
  'myflightbook/clean.csv': [
    '2 date:2022-06-18 from:KPAO to:KPAO {Via: KHAF} aircraft:C172 aircraftReg:N5362H departure:2022-06-18T16:55/utc arrival:2022-06-18T18:15/utc takeoffActual:2022-06-18T17:05/utc landingActual:2022-06-18T18:10/utc duration:4680 durationStep:360 note:Lunch, then home externalId:501 me:pilot',
    '3 date:2022-07-02 from:KSFO to:KEWR aircraft:B738 departure:2022-07-03T04:40/utc arrival:2022-07-03T09:10/utc duration:16200 externalId:502 me:copilot',
  ],
  'myflightbook/nasty.csv': [
    '2 date:18/06/2022 from:EGLF to:EGLF aircraft:C172 aircraftReg:GBABC duration:2520 durationStep:360 externalId:601 me:pilot',
    '3 skip:simulator date:19/06/2022 duration:5400 durationStep:360 externalId:602 me:pilot',
    '4 date:20/06/2022 from:EGLF to:EGJJ {Via: EGHH} aircraft:P28A aircraftReg:G-BZZZ duration:3600 durationStep:360 externalId:603 me:pilot',
    '5 date:21/06/2022 aircraftReg:G-BZZZ externalId:604 me:pilot !value_not_understood:duration:long',
    '6 date:31/06/2022 from:EGLF to:EGHH aircraftReg:G-BZZZ externalId:605 me:pilot',
    '7 skip:simulator date:22/06/2022 externalId:606 me:pilot',
  ],
  'myflightbook/short.csv': [
    '2 date:2020-02-02 from:LOWI to:LOWS aircraftReg:OE-ABC duration:3000 note:Über die Alpen me:pilot',
    '3 date:2020-02-03 from:LOWS to:LOWI {Via: @WP1} aircraftReg:OE-ABC duration:3300 me:copilot',
  ],
  'openflights/clean.csv': [
    '2 date:2011-09-12 departure:2011-09-12T07:20 from:MUC to:TXL airline:of:3320 "Lufthansa" flightNumber:LH2030 aircraft:"Airbus A320" aircraftReg:D-AIQA duration:4200 note:Rain, late me:window,5A,business,business',
    '3 date:2011-09-14 from:TXL to:ZRH airline:of:214 "Air Berlin" flightNumber:AB8198 aircraft:"Boeing 737-800" duration:5100 {Trip: 12} me:economy,leisure',
    '4 date:2012-01-31 departure:2012-01-31T22:15 from:GIG to:LIS airline:of:4869 "TAP Portugal" flightNumber:TP70 aircraft:"Airbus A330-200" aircraftReg:CS-TOE duration:33600 {Trip: 12} me:window,17K,economy+,other',
  ],
  'openflights/handmade.csv': [
    '2 date:2003-02-10 from:ZRH to:FRA airline:"Swiss" flightNumber:3730 aircraft:"Avro RJ100" aircraftReg:HB-IXS duration:3900 me:economy,business',
    '3 date:2003-02-11 from:"Kloten" to:"Vienna" airline:"Austrian Airlines"',
  ],
  'openflights/nasty.csv': [
    '2 date:2009-06-01 departure:2009-06-01T10:00 from:JFK to:LAX airline:of:2009 "Delta Air Lines" flightNumber:DL1 aircraft:"Boeing 767-300" aircraftReg:N171DN duration:21900 me:aisle,2B,first,leisure !bad_quoting',
    '3 date:2009-06-08 departure:2009-06-08T12:00 from:LAX to:JFK airline:of:2009 "Delta Air Lines" flightNumber:DL2 aircraft:"Boeing 767-300" aircraftReg:N171DN duration:18900 note:Captain said "hello", twice me:aisle,2B,first,leisure !bad_quoting',
    '4 date:2008-11-02 departure:2008-11-02T01:30 from:JFK to:BOS airline:of:3029 "JetBlue Airways" flightNumber:B61018 aircraft:"Embraer 190" duration:4200 me:middle,business,crew',
    '5 date:2007-03-04 from:LHR to:EDDT airline:of:1355 "British Airways" me:economy',
    '6 date:1994 from:SVO to:IKT airline:of:130 "Aeroflot" aircraft:"Tupolev Tu-154" {Trip: 7}',
    '7 date:5/27/2006(mdy) from:MIA to:MEX airline:of:24 "American Airlines" flightNumber:AA2115 aircraft:"Boeing 757" duration:12000',
    '8 date:27.5.2006 from:ZRH to:CPH airline:"Swiss" duration:6600 !value_not_understood:seatClass:Q !value_not_understood:flightReason:X',
    '9 date:2010-07-01 from:FRA to:MUC airline:of:3320 "Hansa Jet Set"',
  ],
}

for (const [path, records] of Object.entries(expected)) {
  test(`${path} is recognised and read`, async () => {
    const said = await saidBy(fileOf(path))
    assert.equal(said.source, path.split('/')[0])
    assert.deepEqual(
      said.records.map((record) => record.replaceAll('\r\n', '\n')),
      records,
    )
  })
}

/** The same file as saved by other programs. */
const encodings: Record<string, (text: string) => Buffer> = {
  'with a BOM and CRLF': (text) => Buffer.from(`\ufeff${text.replaceAll(/\r?\n/g, '\r\n')}`),
  'as UTF-16, low byte first': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'as UTF-16, high byte first': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'as UTF-16 without BOM': (text) => Buffer.from(text, 'utf16le'),
  'as Latin-1': (text) => Buffer.from(text.replaceAll(/[^\0-\xff]/g, '?'), 'latin1'),
  'with old Mac line ends': (text) => Buffer.from(text.replaceAll(/\r?\n/g, '\r')),
}

for (const [name, encode] of Object.entries(encodings)) {
  test(`files ${name} give the same records`, async () => {
    for (const path of Object.keys(expected).filter(
      (one) => one.includes('/clean.') || one.includes('/fields.'),
    )) {
      const text = fileOf(path).toString('utf8').replace('\ufeff', '')
      assert.deepEqual(await saidBy(encode(text)), await saidBy(Buffer.from(text)), path)
    }
  })
}

test('columns of OpenFlights are known by order if the heading is free text', () => {
  const text = fileOf('openflights/clean.csv').toString('utf8')
  const renamed = text.replace(/^.*\r\n/, 'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s\r\n')
  const table = readDelimited(renamed)
  assert.ok(table)
  assert.deepEqual(saidIn(table, openflights.readers[0]), expected['openflights/clean.csv'])
})

test('columns may have any order, with unknown columns between them', () => {
  const [reader] = fr24.readers
  const table = readDelimited(
    'Mood;Arr time;Dep time;Duration;To;From;Flight number;Date\ngood;09:15;08:00;01:15;HAM;MUC;LH1;2024-05-01\n',
  )
  assert.ok(table && reader)
  assert.ok(reader.matches(table as never))
  assert.deepEqual(saidIn(table, reader), [
    '2 date:2024-05-01 from:MUC to:HAM flightNumber:LH1 departure:08:00 arrival:09:15 duration:4500',
  ])
  assert.deepEqual(columnsIn(table, reader), [
    null,
    'arrivalTime',
    'departureTime',
    'duration',
    'to',
    'from',
    'flightNumber',
    'date',
  ])
})

test('only pilots round durations to tenths of an hour', () => {
  const table = readDelimited(
    'Date,Flight number,From,To,Dep time,Arr time,Duration\n2024-05-01,LH1,MUC,HAM,,,1.5\n',
  )
  assert.ok(table)
  assert.deepEqual(saidIn(table, fr24.readers[0]), [
    '2 date:2024-05-01 from:MUC to:HAM flightNumber:LH1 duration:5400',
  ])
})

test('a table of another program is not recognised as one of ours', async () => {
  const rows = [
    'Date,From,To,Flight\n2024-01-01,MUC,HAM,LH1\n',
    'Date\tAircraft ID\tFrom\tTo\n2024-01-01\tD-EABC\tA\tB\n',
    'Date,Aircraft ID,From,To,Out,In\n2024-01-01,D-EABC,A,B,0800,0900\n',
  ]
  for (const text of [
    ...rows,
    '[]',
    '[{"a":1}]',
    'user: me\ntrips are nice\n',
    '{"SegmentListResponses":{}}',
  ])
    assert.match((await saidBy(Buffer.from(text))).source ?? 'generic', /^generic/, text)
})

test('every source explains how to get its file, in every language', () => {
  for (const { id, name, extensions } of sources) {
    assert.ok(name.length > 2 && extensions.length > 0, id)
    for (const language of languages) assert.match(howTo[language][id], /^\p{Lu}.*\.$/u, id)
  }
})

test('a flight number is prefixed with its carrier’s code, never with a name', () => {
  assert.equal(joinedNumber('QFA', '12'), 'QFA12')
  assert.equal(joinedNumber('U2', '8642'), 'U28642')
  assert.equal(joinedNumber('Zebra Wings', '905'), '905')
  assert.equal(joinedNumber('', '905'), '905')
  assert.equal(joinedNumber('SK', 'SK909'), 'SK909')
  assert.equal(joinedNumber('4Z', '4Z841'), '4Z841')
  assert.equal(joinedNumber('SK', '909A'), 'SK909A')
  assert.equal(joinedNumber('SK', ''), null)
})
