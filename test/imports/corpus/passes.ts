// Texts of bar codes on boarding passes, as scanner apps share them: one a line.
import { type Conditional, passText, passTruth, repeatedOf } from './printers.ts'
import type { Sample } from './sample.ts'

const others = { includeOthers: true }

const sas = repeatedOf('1172401588231', 'SK', 'SK EBB771204518', ' 1PC')

/** The ticket of `sas` as the carrier of the first leg writes it. */
const byCarrier = (rows: string, said: Conditional | undefined): Conditional | undefined =>
  said?.repeated === sas ? { ...said, repeated: sas.replaceAll('SK ', rows.slice(19, 21).padEnd(3)) } : said

/** Passes of one traveller: rows of legs, each pass with its own conditional part. */
export const stack = (name: string, passes: [rows: string, said?: Conditional][]) => ({
  content: `${passes.map(([rows, said]) => passText(name, rows, byCarrier(rows, said))).join('\n')}\n`,
  truth: passes.map(([rows]) => passTruth(rows)).join('\n'),
})

export const full: Conditional = { issuer: 'SK', bags: ' '.repeat(13), repeated: sas }
export const short: Conditional = { description: '0WW', issuer: '' }
const bags: Conditional = {
  version: '5',
  description: '1OO',
  bags: '0220640118001',
  repeated: repeatedOf('0571182735501', 'AF'),
}

const issuedA: [string, Conditional][] = [
  ['2018-05-11 CPH ARN SK 1418 SAS M 11C 37 TB4KQ9', { ...full, issued: '2018-05-10' }],
  [
    '2019-02-03 ARN FRA LH 803 DLH S 24F 112 K9WPL3',
    { ...short, issued: '2019-02-02', issuer: 'LH', own: '3A0D7' },
  ],
  ['2019-02-03 FRA SIN LH 778 DLH E 31K 9 K9WPL3', { ...short, issued: '2019-02-03', issuer: 'LH' }],
  ['2022-08-19 OSL AMS KL 1144 KLM Y 7A 54 MXR7D2', { ...bags, issued: '2022-08-18', issuer: 'KL' }],
  ['2023-03-30 CDG JFK AF 6 AFR J 3L 4 PQ81ZA', { ...bags, issued: '2023-03-29', issuer: 'AF' }],
  ['2024-02-29 HEL OUL AY 433 FIN Q 19D 80 W3JJNK', { ...short, issued: '2024-02-29', issuer: 'AY' }],
  ['2024-12-31 VIE ARN OS 313 AUA K 22B 141 RZ5TTM', { ...full, issued: '2024-12-30', issuer: 'OS' }],
  ['2025-07-05 LIS OPO TP 1926 TAP N 15F 66 4HGQ2X', { ...short, version: '1', issued: '2025-07-04' }],
  [
    '2026-06-14 ARN DOH QR 170 QTR O 28J 203 7LMK3E',
    { ...full, issued: '2026-06-13', issuer: 'QR', security: '0MEUCIQDx7' },
  ],
  ['2026-10-02 KEF ARN FI 306 ICE X 9C 31 UV6C4B', { ...short, issued: '2026-10-01', issuer: 'FI' }],
]

const issuedB: [string, Conditional][] = [
  ['2017-12-08 GVA CDG AF 1243 AFR L 18A 60 N3VQ7T', { ...bags, issued: '2017-12-07', issuer: 'AF' }],
  [
    '2018-09-21 MAD EZE IB 6845 IBE I 4A 12 JW2PR',
    { ...short, issued: '2018-09-20', issuer: 'IB', security: 'GDBQ22' },
  ],
  ['2021-10-10 LIN FCO AZ 2023 AZA Y 12D 45 LQ0X8C', { ...short, issued: '2021-10-09', issuer: 'AZ' }],
  ['2021-10-20 FCO LIN AZ 2010 ITY Y 14C 38 MZ7R1A', { ...short, issued: '2021-10-19', issuer: 'AZ' }],
  [
    '2023-08-01 YUL CDG AC 870 ACA W 21K 77 P8DD4S',
    { ...full, issued: '2023-07-31', issuer: 'AC', own: 'AC*25K' },
  ],
  ['2024-12-30 CDG FDF AF 842 AFR B 35E 301 QH3L0P', { ...bags, issued: '2024-12-29' }],
  [
    '2025-04-22 CDG HND NH 216 ANA P 2D 3 8YJRWC',
    { ...short, version: '8', issued: '2025-04-21', issuer: 'NH' },
  ],
  ['2026-03-01 CDG BKK TG 931 THA H 44H 250 K2BXLV', { ...full, issued: '2026-02-28', issuer: 'TG' }],
  [
    '2026-03-15 SGN CDG VN 11 HVN T 33C 190 T5MMHE',
    { ...short, issued: '2026-03-14', issuer: 'VN', own: 'SEQ190' },
  ],
  ['2026-12-20 GVA LHR LX 352 SWR V 16F 1 X0KSD9', { ...short, issued: '2026-11-10', issuer: 'LX' }],
]

/** A drawer full of passes; the number of a leg may end in a letter, the compartment may be any letter. */
const drawerA: [string, Conditional][] = [
  ['2017-03-18 BRS FAO U2 6163 EZY Y 11D 20 EFK2X1', { ...short, issued: '2017-03-17' }],
  ['2018-01-05 LHR AMS KL 1010 KLM G 24A 51 LMQ7R2', { ...short, issued: '2018-01-04', issuer: 'KL' }],
  ['2018-01-05 AMS PBM KL 713 KLM G 41C 300 LMQ7R2', { ...short, issued: '2018-01-04', issuer: 'KL' }],
  [
    '2018-07-30 JFK SJU B6 1103 JBU Z 2A 6 SDWKPO',
    { ...short, version: '6', issued: '2018-07-29', issuer: 'B6' },
  ],
  [
    '2019-05-04 LHR NRT BA 5 BAW T 35K 200 PX3L9D',
    { ...full, issued: '2019-05-03', issuer: 'BA', security: 'MEYCIQ' },
  ],
  ['2019-10-26 SFO PDX AS 3310 ASA R 18A 78 TTQWEZ', { ...short, issued: '2019-10-25', issuer: 'AS' }],
  ['2020-03-12 MAD LHR IB 3166 IBE O 22F 140 VNMZ1', { ...short, issued: '2020-03-11', issuer: 'IB' }],
  ['2021-08-28 LHR BEG JU 211 ASL S 8D 66 KLOPT4', { ...bags, issued: '2021-08-27', issuer: 'JU' }],
  ['2022-05-30 BHX CDG AF 1865 AFR V 6F 41 HGJ2K8', { ...bags, issued: '2022-05-29', issuer: 'AF' }],
  ['2022-11-13 LHR CAI MS 778 MSR M 29H 190 EGYPT1', { ...short, issued: '2022-11-12', issuer: 'MS' }],
  [
    '2023-02-27 EDI LHR BA 1435 BAW C 5A 11 W2E4R6',
    { ...short, issued: '2023-02-27', issuer: 'BA', own: 'BA*EXEC' },
  ],
  ['2023-12-31 LHR HEL AY 1332 FIN D 1C 2 QAZWSX', { ...short, issued: '2023-12-30', issuer: 'AY' }],
  ['2024-03-01 HEL IVL AY 603 FIN U 14F 90 QAZ2SX', { ...short, issued: '2024-02-29', issuer: 'AY' }],
  ['2025-06-08 LHR LCA CY 327 CYP X 10B 33 CYP9LK', { ...short, issued: '2025-06-07', issuer: 'CY' }],
  ['2025-12-24 LGW BGO DY 1323D NAX L 17A 52 NAXLLL', { ...short, issued: '2025-12-23', issuer: 'DY' }],
  ['2026-11-19 MAN DUB EI 203 EIN Y 9E 48 2FK8RS', { ...full, issued: '2026-11-18', issuer: 'EI' }],
]

const drawerB: [string, Conditional][] = [
  ['2017-11-02 SXF BUD FR 179 RYR Y 25F 130 RYB4XZ', { ...short, issued: '2017-11-01' }],
  ['2018-06-15 TXL DUS EW 9043 EWG Q 12A 44 EWL1QM', { ...short, issued: '2018-06-14', issuer: 'EW' }],
  ['2018-10-19 FRA ICN OZ 542 AAR E 39A 230 OZ7HHT', { ...full, issued: '2018-10-18', issuer: 'OZ' }],
  ['2019-02-22 ICN CJU 7C 115 JJA Y 20D 99 JEJU22', { ...short, issued: '2019-02-21', issuer: '7C' }],
  ['2019-08-11 TXL HEL AY 1432 FIN B 16A 35 HJUI87', { ...bags, issued: '2019-08-10', issuer: 'AY' }],
  [
    '2020-02-08 MUC MIA LH 460 DLH P 83A 4 MIA460',
    { ...full, issued: '2020-02-07', issuer: 'LH', security: '0123456789' },
  ],
  ['2020-02-29 EYW MIA AA 3545 AAL L 17A 12 EYW229', { ...short, issued: '2020-02-28', issuer: 'AA' }],
  ['2021-07-02 BER KEF FI 529 ICE K 28F 166 KEFBER', { ...short, issued: '2021-07-01', issuer: 'FI' }],
  ['2022-04-16 BER TLV LY 352 ELY N 33H 77 ELAL22', { ...short, issued: '2022-04-15', issuer: 'LY' }],
  ['2022-10-03 STR ZAG OU 4431 CTN T 3C 1 ZAGSTR', { ...short, issued: '2022-10-02', issuer: 'OU' }],
  [
    '2023-01-19 FRA MEX LH 498 DLH W 22D 111 W3MEXI',
    { ...short, issued: '2023-01-18', issuer: 'LH', own: '*SEN' },
  ],
  ['2024-01-01 BER VIE OS 226 AUA J 1F 3 NEWYR1', { ...short, issued: '2023-12-31', issuer: 'OS' }],
  ['2024-08-23 BER EVN A3 987 AEE H 21B 64 ARMEN1', { ...bags, issued: '2024-08-22', issuer: 'A3' }],
  ['2025-03-30 HAM FNC DE 1518 CFG M 30F 180 FNCHAM', { ...short, issued: '2025-03-29', issuer: 'DE' }],
  ['2025-09-12 BER RIX BT 212A BTI O 14C 58 RIX212', { ...short, issued: '2025-09-11', issuer: 'BT' }],
  ['2026-11-20 BER CPH SK 1678 SAS F 1A 1 SKF678', { ...short, issued: '2026-11-19', issuer: 'SK' }],
]

const connectionsA = [
  `2023-06-17 BLL FRA LH 839 DLH L 14A 21 Z6WNV2
   2023-06-17 FRA DEN LH 446 DLH L 38C 95 Z6WNV2`,
  `2023-06-30 DEN IAD UA 1276 UAL K 22F 60 Z6WNV2
   2023-06-30 IAD CPH SK 926 SAS M 41A 144 Z6WNV2`,
  `2024-10-08 TLL HEL AY 1012 FIN Y 5D 17 HB2C7R
   2024-10-08 HEL NRT AY 73 FIN W 24L 88 HB2C7R
   2024-10-10 NRT CTS JL 3043 JAL Y 30A 12 HB2C7R`,
]

const connectionsB = [
  `2022-12-31 TLS CDG AF 7525 AFR N 8F 40 O2LLX1
   2023-01-01 CDG RUN AF 652 AFR N 39D 311 O2LLX1`,
  `2025-02-11 BRU IST TK 1938 THY T 17B 71 SVK3JD
   2025-02-12 IST NBO TK 607 THY T 26J 120 SVK3JD`,
  `2025-11-28 NCE LHR BA 341 BAW J 4C 9 WX8FYC
   2025-11-28 LHR LAX BA 283 BAW J 12K 31 WX8FYC
   2025-11-28 LAX HNL AS 821 ASA G 19C 52 WX8FYC`,
]

const datedA = `2019-08-15 STN DUB FR 207 RYR Y 21C 88 E6K3WQ
2019-08-22 DUB STN FR 202 RYR Y 8A 41 E6K3WQ`

const datedB = `2022-01-07 CRL BGY FR 4524 RYR Y 17E 102 Y7GTP0
2021-12-18 BGY CRL FR 4523 RYR Y 30F 155 Y7GTP0`

/** Today is 19 November 2026: the latest year that is at most 60 days ahead. */
const bareA = `2026-11-22 CPH BCN VY 1875 VLG Y 12A 54 KL3PQ7
2026-12-15 BCN CPH VY 1874 VLG Y 12B 55 KL3PQ7
2027-01-10 CPH SFT WF 391 WIF Y 4C 11 ZT81BB
2026-02-16 AAL CPH SK 1204 SAS M 9D 40 MM2XSA
2026-05-01 CPH FAE RC 451 FLI Y 18F 99 34JKLA
2024-12-31 RVN HEL AY 536 FIN Q 22C 87 NNW3LK`

const bareB = `2026-01-25 ZAG SPU OU 654 CTN Y 11A 12 RR5PLT
2026-11-30 BEG TIV JU 682 ASL Y 7C 30 XX2WEQ
2027-01-04 LJU ZRH LX 1663 SWR K 14F 2 P1QAZ2
2026-07-20 SOF VAR FB 971 LZB Y 20D 64 WSX3ED
2026-10-31 ATH JTR A3 352 AEE Y 6B 18 C4RFV5
2026-11-18 SKG ATH A3 109 AEE J 2A 5 TGB6YH`

export const bare = (name: string, rows: string): string =>
  `${rows
    .split('\n')
    .map((row) => passText(name, row))
    .join('\n')}\n`

const oddA = [
  '2023-05-20 LGW AGP U2 8603 EZY Y 17C 64 K4WZC3F',
  '2023-05-27 AGP LGW U2 8604 EZY Y 3F 12 K4WZC3F',
  '2023-06-02 LIS LHR TP 1356 TAP E 23A 78 5QRB7P',
  '2023-06-09 DOH LHR QR 3 QTR R 28D 144 ABMX4T',
]

const oddB = [
  '2024-09-06 ORY TLS U2 4021 EZY Y 22D 90 KBX1R7Q',
  '2024-09-08 TLS ORY U2 4022 EZY Y 1A 3 KBX1R7Q',
  '2024-09-13 OPO ORY TP 454 TAP T 11E 47 ZZ3KMV',
  '2024-09-19 CDG DOH QR 40 QTR N 31K 221 QX5GHW',
]

const own: Conditional = { version: '' }

const oddTexts = (name: string, rows: string[], sold: string): string =>
  `${[
    passText(name, rows[0]!, { ...own, own: sold }, ' '),
    passText(name, rows[1]!, { ...own, own: `${sold} SPDYBRD` }),
    passText(name, rows[2]!, {
      version: '3',
      description: '1 W',
      issuer: 'TP',
      repeated: repeatedOf('0472110098123', 'TP'),
    }),
    `${passText(name, rows[3]!)}QR      1157 ${name.slice(0, 4)}`,
  ].join('\n')}\n`

const oddTruth = (rows: string[]): string => rows.map(passTruth).join('\n')

const turnA = `2020-01-02 ZRH GVA LX 2812 SWR M 10A 14 VB2NMK
2024-12-31 GVA ZRH LX 2809 SWR M 13F 61 VC7UYT
2025-01-01 ZRH KRK LX 1374 SWR V GATE 77 VC7UYT
2025-01-06 KRK ZRH LX 1375 SWR V INF 78 VC7UYT`

const turnB = `2019-01-01 MUC KRK LO 3906 LOT Q 15B 33 BE4RTY
2020-12-31 WAW GDN LO 3829 LOT Y - 8 UI9OPA
2021-01-03 GDN WAW LO 3830 LOT Y INF 9 UI9OPA
2025-01-02 WAW VNO LO 773 LOT K SBY 60 SDF5GH`

const turned = (names: string[], rows: string, issues: string[]): string =>
  `${rows
    .split('\n')
    .map((row, at) => passText(names[at]!, row, { ...short, issued: issues[at]!, issuer: row.slice(19, 21) }))
    .join('\n')}\n`

const hurtA = `2024-03-04 GOT ARN SK 162 SAS H 5A 22 AA1BB2
2024-03-06 ARN GOT SK 159 SAS H 9C 80 AA1BB2
2024-04-12 GOT MUC LH 2433 DLH V 27E 45 CC3DD4
2024-04-20 MUC GOT LH 2432 DLH V 18D 46 CC3DD4
2024-05-01 STR FRA LH 127 DLH Y 3A 5 EE5FF6`

const hurtB = `2023-09-09 BRU OSL SN 2285 BEL L 6F 31 JJ2KK3
2023-09-14 OSL BRU SN 2286 BEL L 7F 32 JJ2KK3
2023-10-05 BRU VLC SN 3729 BEL N 16A 90 LL4MM5
2023-10-12 VLC BRU SN 3730 BEL N 20C 91 LL4MM5
2023-11-02 BRU FRA LH 1007 DLH Y 11D 8 NN6PP7`

const issuedOn = (row: string, issued: string, name: string): string =>
  passText(name, row, { ...short, issued, issuer: row.slice(19, 21) })

/** Stripped after the compartment; lower case; a seat that stands left; sizes larger than the text; an address; a railway leg. */
const hurt = (
  name: string,
  rows: string,
  issues: string[],
  seat: string,
  link: string,
  train: string,
): string => {
  const [first, second, third, fourth, fifth] = rows.split('\n') as [string, string, string, string, string]
  return `${[
    passText(name, first).slice(0, 48),
    issuedOn(second, issues[0]!, name).toLowerCase(),
    issuedOn(third, issues[1]!, name).replace(seat.padStart(4, '0'), seat.padEnd(4)),
    link,
    passText(name, fourth, { ...full, issued: issues[2]!, issuer: 'LH' }).slice(0, 88),
    issuedOn(train, issues[3]!, name),
    issuedOn(fifth, issues[3]!, name),
  ].join('\n')}\n`
}

const withoutSeat = (truth: string): string => truth.replace(/ seat=\S+/, '')

const hurtTruth = (rows: string, train: string): string => {
  const [first, second, third, fourth, fifth] = rows.split('\n').map(passTruth) as [
    string,
    string,
    string,
    string,
    string,
  ]
  return [
    withoutSeat(first),
    second,
    third,
    '- an address of a page',
    fourth,
    `- train ${train}`,
    fifth,
  ].join('\n')
}

const railA = `2024-07-01 QKL FRA LH 3505 DLH Y - 2 RA3ILA
2024-07-01 FRA BOS LH 422 DLH L 33H 119 RA3ILA`

const railB = `2025-05-16 ZWS FRA LH 3442 DLH Y - 7 RB4ILB
2025-05-16 FRA GRU LH 506 DLH K 27C 201 RB4ILB`

const railTruth = (rows: string): string => {
  const [train = '', flight = ''] = rows.split('\n')
  return `- train ${train.slice(0, 18)}\n${passTruth(flight)}`
}

export const passes: Sample[] = [
  {
    name: 'Scanned passes with days of issue, ten airlines',
    half: 'a',
    filename: 'scans.txt',
    options: others,
    ...stack('LINDGREN/ASTRID MRS', issuedA),
  },
  {
    name: 'Scanned passes with days of issue, one carrier code of two companies',
    half: 'b',
    filename: 'cartes-embarquement.txt',
    options: others,
    ...stack('MOREAU/JULIENMR', issuedB),
  },
  {
    name: 'A drawer of sixteen passes, letters behind numbers',
    half: 'a',
    filename: 'drawer.txt',
    options: others,
    ...stack('ASHWORTH/GEMMA LOUISE', drawerA),
  },
  {
    name: 'A drawer of sixteen passes, leap days, designators with digits',
    half: 'b',
    filename: 'Schublade.txt',
    options: others,
    ...stack('BRANDT/TILLMR', drawerB),
  },
  {
    name: 'Passes of two and three legs',
    half: 'a',
    filename: 'connections.txt',
    options: others,
    ...stack('KJAER/MAGNUS', [
      [connectionsA[0]!, { ...full, issued: '2023-06-16', issuer: 'LH' }],
      [
        connectionsA[1]!,
        { ...short, issued: '2023-06-29', issuer: 'UA', repeated: repeatedOf('0169912457880', 'UA') },
      ],
      [connectionsA[2]!, { ...bags, issued: '2024-10-07', issuer: 'AY' }],
    ]),
  },
  {
    name: 'Passes of two and three legs, over New Year and midnight',
    half: 'b',
    filename: 'passes.txt',
    options: others,
    ...stack('PEETERS/LOTTEMS', [
      [connectionsB[0]!, { ...bags, issued: '2022-12-30', issuer: 'AF' }],
      [connectionsB[1]!, { ...full, issued: '2025-02-10', issuer: 'TK' }],
      [connectionsB[2]!, { ...short, issued: '2025-11-27', issuer: 'BA', own: 'GOLD' }],
    ]),
  },
  {
    name: 'No day of issue, the date of the scan in the name of the file',
    half: 'a',
    filename: 'boarding passes 2019-08-24.txt',
    options: others,
    content: bare('WHELAN/CIARAN', datedA),
    truth: passTruth(datedA),
  },
  {
    name: 'No day of issue, the name of the file dates it after New Year',
    half: 'b',
    filename: 'Ryanair_20220109.txt',
    options: others,
    content: bare('CLAES/WOUT', datedB),
    truth: passTruth(datedB),
  },
  {
    name: 'No day of issue: next days, next month, last winter, day 366',
    half: 'a',
    filename: 'pasted.txt',
    options: others,
    content: bare('HOLM/FREJA', bareA),
    truth: passTruth(bareA),
  },
  {
    name: 'No day of issue: January past and January next',
    half: 'b',
    filename: 'clipboard.txt',
    options: others,
    content: bare('KOVACEVIC/IVA MRS', bareB),
    truth: passTruth(bareB),
  },
  {
    name: "Airlines' own text instead of conditional data, blank day of issue, text after size 0",
    half: 'a',
    filename: 'barcodes-2023-06-10.txt',
    options: others,
    content: oddTexts('ASHWORTH/GEMMA', oddA, 'LGWAGP17C 20MAY BAG0'),
    truth: oddTruth(oddA),
  },
  {
    name: "Airlines' own text instead of conditional data, locators of seven characters",
    half: 'b',
    filename: '2024-09-20 codes.txt',
    options: others,
    content: oddTexts('DUFOUR/ELODIE MME', oddB, 'EZY4021 CABIN1'),
    truth: oddTruth(oddB),
  },
  {
    name: 'Issued before New Year, flown after it; day 366; an infant; a seat given at the gate',
    half: 'a',
    filename: 'zrh.txt',
    options: others,
    content: turned(
      ['VON DER HEIDE-KAMPMANN/LI', 'VONDERHEIDEKAMPMANN/', 'VON DER HEIDE KAMPMAN', 'VON DER HEIDE/LISAMRS'],
      turnA,
      ['2019-12-30', '2024-12-30', '2024-12-31', '2025-01-05'],
    ),
    truth: passTruth(turnA),
  },
  {
    name: 'Issued before New Year, flown after it; no seat; an infant; stand-by',
    half: 'b',
    filename: 'lot.txt',
    options: others,
    content: turned(
      ['WISNIEWSKA-KOWALCZYK/A', 'WISNIEWSKAKOWALC/ANNA', 'WISNIEWSKA/ANNAMRS', 'WISNIEWSKA/A'],
      turnB,
      ['2018-12-29', '2020-12-31', '2021-01-02', '2024-12-31'],
    ),
    truth: passTruth(turnB),
  },
  {
    name: 'Damaged: cut after the compartment, lower case, seats that stand left, an address, a train',
    half: 'a',
    filename: 'scanner-2024-05-02.txt',
    options: others,
    content: hurt(
      'NYSTROM/ELIAS MR',
      hurtA,
      ['2024-03-05', '2024-04-11', '2024-04-19', '2024-04-30'],
      '27E',
      'https://checkin.example.com/boarding/?ref=CC3DD4&seg=1&lang=sv',
      '2024-05-01 ZWS STR LH 3001 DLH Y - 4 EE5FF6',
    ),
    truth: hurtTruth(hurtA, '2024-05-01 ZWS STR'),
  },
  {
    name: 'Damaged: cut after the compartment, lower case, seats that stand left, an address, a train in between',
    half: 'b',
    filename: 'scanner 2023-11-03.txt',
    options: others,
    content: hurt(
      'JANSSENS/NOOR',
      hurtB,
      ['2023-09-13', '2023-10-04', '2023-10-11', '2023-11-01'],
      '16A',
      'HTTPS://m.example.org/q/7fa20cBRUVLC',
      '2023-11-02 XDB BRU AF 7181 AFR Y - 4 NN6PP7',
    ),
    truth: hurtTruth(hurtB, '2023-11-02 XDB BRU'),
  },
  {
    name: 'A pass of two legs, the first by train to Frankfurt',
    half: 'a',
    filename: 'rail-and-fly.txt',
    options: others,
    content: `${passText('BRANDT/TILL', railA, { ...short, issued: '2024-06-30', issuer: 'LH' })}\n`,
    truth: railTruth(railA),
  },
  {
    name: 'A pass of two legs, the first by train from Stuttgart',
    half: 'b',
    filename: 'zug-und-flug.txt',
    options: others,
    content: `${passText('ALVES/BEATRIZMRS', railB, { ...full, issued: '2025-05-15', issuer: 'LH' })}\n`,
    truth: railTruth(railB),
  },
]
