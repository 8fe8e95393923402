// Lines whose words could be read otherwise: a day behind an airline, codes that are an airline's too, small words beside codes in
// capitals, flights that did not take place; and lines that no single flight can be made of. Today is Monday, 16 November 2026.

/** Text; the draft with airports by ICAO and airlines by IATA code. */
type HardCase = [text: string, draft: string]

// biome-ignore format: one case per line
export const hardCases: HardCase[] = [
  // A day behind an airline is no flight number.
  ['MUC HAM Lufthansa 5 may 2019', 'airline LH, date 2019-05-05, from EDDM, to EDDH'],
  ['Lufthansa 5 may 2019 MUC HAM', 'airline LH, date 2019-05-05, from EDDM, to EDDH'],
  ['MAN AMS KLM 5 may 2019', 'airline KL, date 2019-05-05, from EGCC, to EHAM'],
  ['KLM 5 MAY 2019 MAN AMS', 'airline KL, date 2019-05-05, from EGCC, to EHAM'],
  ['LIS OPO TAP 5 may 2019', 'airline TP, date 2019-05-05, from LPPT, to LPPR'],
  ['SIN BKK SQ 5 may 2019', 'airline SQ, date 2019-05-05, from WSSS, to VTBS'],
  ['sin bkk sq 5 may 2019', 'airline SQ, date 2019-05-05, from WSSS, to VTBS'],
  ['MUC HAM BA 24 dec 2019', 'airline BA, date 2019-12-24, from EDDM, to EDDH'],
  ['MUC HAM Ryanair 24 dec 2019', 'airline FR, date 2019-12-24, from EDDM, to EDDH'],
  ['Ryanair 24 dec 2019 STN DUB 0825', 'airline FR, date 2019-12-24, departure 08:25, from EGSS, to EIDW'],
  ['MUC HAM British Airways 24 dec 2019', 'airline BA, date 2019-12-24, from EDDM, to EDDH'],
  ['MUC HAM Lufthansa 5 of may 2019', 'airline LH, date 2019-05-05, from EDDM, to EDDH'],
  ['MUC HAM Lufthansa Sunday 5 may 2019', 'airline LH, date 2019-05-05, from EDDM, to EDDH'],
  ['MUC HAM Lufthansa Sun 5 may 2019', 'airline LH, date 2019-05-05, from EDDM, to EDDH'],
  ['MUC HAM Lufthansa 5 may 2019 0825-0940', 'airline LH, arrival 09:40, date 2019-05-05, departure 08:25, from EDDM, to EDDH'],
  ['MUC HAM Lufthansa 10 am 5 may 2019', 'airline LH, date 2019-05-05, departure 10:00, from EDDM, to EDDH'],
  ['MUC HAM LH 5 may', 'airline LH, date 2027-05-05, from EDDM, to EDDH'],
  ['LHR JFK BA 24 may 24', 'airline BA, date 2024-05-24, from EGLL, to KJFK'],
  ['Kopenhagen Amsterdam KLM 12 feb 2020', 'airline KL, date 2020-02-12, from EKCH, to EHAM'],
  ['MUC HAM Lufthansa 5 Mai', 'airline LH, date 2027-05-05, from EDDM, to EDDH'],
  ['MUC HAM Lufthansa 5 Dezember', 'airline LH, date 2026-12-05, from EDDM, to EDDH'],
  ['MUC HAM Lufthansa 5 Mai 2019 um 8 Uhr', 'airline LH, date 2019-05-05, departure 08:00, from EDDM, to EDDH'],
  ['MUC HAM Lufthansa Sonntag 5 Mai 2019', 'airline LH, date 2019-05-05, from EDDM, to EDDH'],
  ['MUC HAM KLM 24. Dez 2019', 'airline KL, date 2019-12-24, from EDDM, to EDDH'],
  ['MUC HAM KLM 12 Sept. 2019', 'airline KL, date 2019-09-12, from EDDM, to EDDH'],
  ['MUC HAM Turkish Airlines 12 Feb. 2020', 'airline TK, date 2020-02-12, from EDDM, to EDDH'],
  ['MUC HAM easyJet 1 Januar 2020', 'airline U2, date 2020-01-01, from EDDM, to EDDH'],
  ['MUC HAM easyJet 1 Jänner 2020', 'airline U2, date 2020-01-01, from EDDM, to EDDH'],
  ['MUC HAM SAS 3 Okt 2019', 'airline SK, date 2019-10-03, from EDDM, to EDDH'],
  ['MUC HAM KLM 3 März 2019', 'airline KL, date 2019-03-03, from EDDM, to EDDH'],
  ['MUC HAM KLM 8 Uhr 5.5.2019', 'airline KL, date 2019-05-05, departure 08:00, from EDDM, to EDDH'],
  // Nor is a seat; what is a number stays one.
  ['MUC HAM Lufthansa 12a 5 may 2019', 'airline LH, date 2019-05-05, from EDDM, seatNumber 12A, to EDDH'],
  ['MUC HAM BA 12a 5 may 2019', 'airline BA, date 2019-05-05, from EDDM, seatNumber 12A, to EDDH'],
  ['MUC HAM Lufthansa 400 5 may 2019', 'airline LH, date 2019-05-05, flightNumber LH400, from EDDM, to EDDH'],
  ['LH 5 5 may 2019 fra jfk', 'airline LH, date 2019-05-05, flightNumber LH5, from EDDF, to KJFK'],
  ['LH 400 may 2019 FRA JFK', 'airline LH, date 2019-05-01, datePrecision month, flightNumber LH400, from EDDF, to KJFK'],
  ['LH 35 feb 2018 FRA JFK', 'airline LH, date 2018-02-01, datePrecision month, flightNumber LH35, from EDDF, to KJFK'],
  ['BA 24 may 24 2019 LHR JFK', 'airline BA, date 2019-05-24, flightNumber BA24, from EGLL, to KJFK'],
  ['Flug LH 12 am 5. Mai 2019 FRA JFK', 'airline LH, date 2019-05-05, flightNumber LH12, from EDDF, to KJFK'],
  // The abbreviation of a state is no airline.
  ['Denver CO 5 may 2019 Chicago', 'date 2019-05-05, from KDEN, note CO, to KORD'],
  // Codes of airports that are airlines' codes too.
  ['CPH CDG 5 may 2019', 'date 2019-05-05, from EKCH, to LFPG'],
  ['cph cdg 5 may', 'date 2027-05-05, from EKCH, to LFPG'],
  ['CPH CDG may 5 2019', 'date 2019-05-05, from EKCH, to LFPG'],
  ['JFK BOS 5 may 2019', 'date 2019-05-05, from KJFK, to KBOS'],
  ['FRA IST 5 may 2019', 'date 2019-05-05, from EDDF, to LTFM'],
  ['FRA HND 5 Mai 2019', 'date 2019-05-05, from EDDF, to RJTT'],
  ['FRA CAI 5 may 2019', 'date 2019-05-05, from EDDF, to HECA'],
  ['FRA EZE 5 may 2019', 'date 2019-05-05, from EDDF, to SAEZ'],
  ['FRA IAD 5 may 2019', 'date 2019-05-05, from EDDF, to KIAD'],
  ['FRA BRU 5 may 2019', 'date 2019-05-05, from EDDF, to EBBR'],
  ['CPH AAL 24 Dezember 2019', 'date 2019-12-24, from EKCH, to EKYT'],
  ['FRA IST 0825 5 may 2019', 'date 2019-05-05, departure 08:25, from EDDF, to LTFM'],
  ['CPH CDG 1830 2.3.2019', 'date 2019-03-02, departure 18:30, from EKCH, to LFPG'],
  ['CPH CDG 12a yesterday', 'date 2026-11-15, from EKCH, seatNumber 12A, to LFPG'],
  ['LH 400 FRA IST 0825 5.5.2019', 'airline LH, date 2019-05-05, departure 08:25, flightNumber LH400, from EDDF, to LTFM'],
  ['DAL 123 JFK yesterday', 'airline DL, date 2026-11-15, flightNumber DL123, to KJFK'],
  ['SAS 909 cph ewr yesterday', 'airline SK, date 2026-11-15, flightNumber SK909, from EKCH, to KEWR'],
  // Small words beside codes in capitals.
  ['vol AF1 CDG JFK 3 mai 2003', 'airline AF, date 2003-05-03, flightNumber AF1, from LFPG, note vol, to KJFK'],
  ['los SK501 CPH LHR 5 jan 2018', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, note los, to EGLL'],
  ['los SK501 CPH to London 5 jan 2018', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, note los, to EGLL'],
  ['ord LAX SFO 5 jan 2018', 'date 2018-01-05, from KLAX, note ord, to KSFO'],
  ['CPH lhr yesterday', 'date 2026-11-15, from EKCH, to EGLL'],
  ['KLM LHR to ams yesterday', 'airline KL, date 2026-11-15, from EGLL, to EHAM'],
  ['los lhr yesterday', 'date 2026-11-15, from DNMM, to EGLL'],
  // Flights that did not take place.
  ['cancelled: SK501 CPH LHR 5 jan 2018', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, outcome cancelled, to EGLL'],
  ['SK501 CPH LHR 5.1.2018 flight was canceled', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, outcome cancelled, to EGLL'],
  ['SK501 CPH LHR 5.1.2018 storniert', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, outcome cancelled, to EGLL'],
  ['SK501 CPH LHR 5.1.2018 Flug wurde annulliert', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, outcome cancelled, to EGLL'],
  ['SK501 CPH LHR 5.1.2018 Flug fiel aus', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, outcome cancelled, to EGLL'],
  ['SK501 CPH LHR 5.1.2018 not cancelled', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, note not cancelled, to EGLL'],
  ['SK501 CPH LHR 5.1.2018 almost diverted', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, note almost diverted, to EGLL'],
  // Other places that are no third airport of the flight.
  ['SK501 CPH LHR 5.1.2018 note: diverted to LGW', 'airline SK, date 2018-01-05, flightNumber SK501, from EKCH, note diverted to LGW, to EGLL'],
  ['cph ams today, conference in Rotterdam', 'date 2026-11-16, from EKCH, note conference in Rotterdam, to EHAM'],
  ['cph jfk yesterday lost my bag in london', 'date 2026-11-15, from EKCH, note lost my bag in london, to KJFK'],
  ['CPH Kopenhagen - LHR London 5.1.2018', 'date 2018-01-05, from EKCH, note CPH LHR, to EGLL'],
  ['cph jfk 5 may 2019 back 31.6.2019', 'date 2019-05-05, from EKCH, note back 31.6.2019, to KJFK'],
]

/** Text; why it is no flight; the words that say so. */
type RefusedLine = [text: string, reason: string, words: string]

// biome-ignore format: one case per line
export const refusedLines: RefusedLine[] = [
  ['CPH FRA LHR 5 jan 2018', 'text_names_several_flights', 'LHR'],
  ['CPH-FRA-LHR 5 jan 2018', 'text_names_several_flights', 'LHR'],
  ['cph fra lhr 5 jan 2018', 'text_names_several_flights', 'lhr'],
  ['cph jfk via lhr yesterday', 'text_names_several_flights', 'lhr'],
  ['Madrid Barcelona Rome 5 may 2019', 'text_names_several_flights', 'Rome'],
  ['Wien nach Madrid über Zürich 5.5.2019', 'text_names_several_flights', 'Wien'],
  ['von Kopenhagen über Frankfurt nach Wien am 5.1.2018', 'text_names_several_flights', 'Frankfurt'],
  ['SK501 CPH LHR 5 may 2019 landed at LGW instead', 'text_names_several_flights', 'LGW'],
  ['SK501 CPH LHR 5 may 2019 diverted to LGW', 'text_names_diversion', 'diverted'],
  ['SK501 CPH LHR 5 may 2019, wurde umgeleitet nach LGW', 'text_names_diversion', 'umgeleitet'],
  ['CPH HEL 30 feb 2018', 'no_such_day', '30 feb 2018'],
  ['KLM 30 feb 2018 CPH AMS', 'no_such_day', '30 feb 2018'],
  ['SK501 CPH LHR 32 jan 2018', 'no_such_day', '32 jan 2018'],
  ['CPH HEL 29 feb 2019', 'no_such_day', '29 feb 2019'],
  ['CPH HEL Feb 30 2018', 'no_such_day', 'Feb 30 2018'],
  ['CPH HEL 31.6.2013', 'no_such_day', '31.6.2013'],
  ['CPH HEL 2013-02-30', 'no_such_day', '2013-02-30'],
  ['CPH HEL 31. Juni 2013', 'no_such_day', '31. Juni 2013'],
  ['CPH HEL 30. Februar', 'no_such_day', '30. Februar'],
  ['CPH HEL Sat 30 feb 2018', 'no_such_day', 'Sat 30 feb 2018'],
]
