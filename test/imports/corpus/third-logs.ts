// Half c, the programs of flight logs: written by an author who had not read the readers, after they were mended.
import { json as airTrailJson, oldJson, withOffset } from './airtrail.ts'
import { dataOf } from './app-in-the-air.ts'
import { byAirExport } from './by-air.ts'
import { page } from './flight-memory.ts'
import { edited, newer, old } from './flightradar24.ts'
import { flightyExport } from './flighty.ts'
import { file as jetLoversFile } from './jet-lovers.ts'
import { today as jetlogToday } from './jetlog.ts'
import { sample } from './life.ts'
import { bare, wrapped } from './miles-and-more.ts'
import { slashed, withIds, withoutIds } from './open-flights.ts'
import type { Sample } from './sample.ts'

const flightradar24: Sample[] = [
  sample(
    'c',
    'fr24, a trader from Accra, midnights, West African airlines',
    'flightdiary_2026_01_14_18_30.csv',
    newer,
    `
1986 ACC LOS airline=NGA
1993-11 ABJ DKR airline=RKA type=A306
2011-03-02 ACC LHR number=BA78 airline=BAW dep=23:05 arr=06:25+1 type=B744 reg=G-CIVX seat=44K class=economy
2011-03-19 LHR ACC number=BA81 airline=BAW dep=14:20 arr=20:55 type=B744 reg=G-BNLY seat=37A class=economy
2012-05-23 ACC ADD number=ET920 airline=ETH dep=12:20 arr=20:45 type=B763 reg=ET-ALO seat=19C class=economy
2013-08-30 ACC LOS number=W3303 airline=ARA dep=15:00 arr=17:00 type=B737 reg=5N-MJF
2014-04-17 LOS ABV number=W3742 airline=ARA dep=22:55 arr=00:00+1 type=B738 reg=5N-MJO | Note=landed at midnight sharp
2015-01-09 ABV LOS number=P47121 airline=APK dep=19:40 arr=20:50 type=B733 | Arr time=00:00:00
2017-11-30 DKR ABJ number=HF521 airline=VRE dep=11:00 arr=13:35 type=A319 reg=TU-TSA seat=9A class=economy | Airline=Air Cote d'Ivoire (HF/VRE)
2018-02-08 ABJ DSS number=HF520 airline=VRE dep=07:30 arr=10:05 type=A319 reg=TU-TSB seat=9F class=economy | Airline=Air Cote d'Ivoire (HF/VRE)
2019-07-21 ACC NBO number=KQ509 airline=KQA dep=00:00 arr=08:35 type=B788 seat=12K class=business
2019-08-03 NBO ACC number=KQ508 airline=KQA arr=21:50 type=B788 | Duration=05:40:00
2022-12-18 ACC JNB number=SA53 airline=SAA dep=14:10 arr=22:10 type=A343 reg=ZS-SXF seat=31H class=economy
2023-05-05 LOS LHR number=VS412 airline=VIR dep=10:40 arr=17:15 type=A35K reg=G-VLIB seat=38A class=economy+
2024-08-11 CMN ACC number=AT515 airline=RAM dep=21:25 arr=01:10+1 type=B38M reg=CN-MAX class=economy
2025-10-05 ACC DXB number=EK788 airline=UAE dep=17:35 arr=05:40+1 type=B77W reg=A6-EGO seat=51D class=economy
`,
  ),
  sample(
    'c',
    'fr24, a man of Buenos Aires, two airports in his city',
    'flightdiary_2026_02_03_00_12.csv',
    old,
    `
2026-01-03 EZE BOG number=AV88 airline=AVA dep=21:00 arr=01:30+1 type=B788 reg=N792AV seat=18L class=economy
2023-08-05 EZE GRU number=G37681 airline=GLO dep=16:20 arr=19:05 type=B38M reg=PS-GPA seat=6C class=economy
2021-11-28 EZE MAD number=IB6844 airline=IBE dep=12:55 arr=04:50+1 type=A359 reg=EC-NBE seat=2H class=business
2019-07-06 AEP USH number=AR1872 airline=ARG dep=05:05 arr=08:40 type=B738 reg=LV-FXQ seat=21A class=economy
2018-12-22 EZE FCO number=AZ681 airline=AZA dep=13:40 arr=07:00+1 type=B772 reg=EI-DBL seat=31A class=economy
2017-09-18 ASU AEP number=AR1261 airline=ARG dep=08:00 arr=10:50 type=E190 reg=LV-CDZ seat=7A class=economy
2017-03-12 AEP BRC number=AR1688 airline=ARG dep=06:55 arr=09:20 type=B738 reg=LV-CXS seat=4F class=economy
2016-10-29 VVI LPB number=OB306 airline=BOV dep=16:25 arr=17:30 type=B733 reg=CP-2640 class=economy
2015-02-20 SCL PMC number=H251 airline=SKU dep=10:05 arr=11:50 type=A319 seat=22F
2014-06-15 IGR AEP number=AR1731 airline=ARG dep=19:30 arr=21:15 type=E190 reg=LV-CIE seat=9C class=economy
2014-06-11 AEP IGR number=AR1726 airline=ARG dep=13:15 arr=15:05 type=E190 reg=LV-CKZ seat=9C class=economy | Note=garganta del diablo, por fin
2013-03-10 UIO GYE number=EQ305 airline=TAE dep=07:00 arr=07:50 type=E190 reg=HC-CEX | Airline=TAME (EQ/TAE)
2012-11-09 BOG SEQU number=AV97 airline=AVA dep=11:10 arr=12:45 type=A319 seat=11C class=economy | To=Quito / Mariscal Sucre (UIO/SEQU)
2009-11-14 ? SCL number=LA440 airline=LAN dep=20:15 arr=22:20 type=A320 seat=14F class=economy | From=Buenos Aires ; Duration=02:05:00
2005-05-05 GIG EZE number=RG8630 airline=VRG dep=22:25 arr=01:35+1 type=B738 reg=PP-VSB
2004-07-11 AEP MVD number=PU150 airline=PUA dep=19:10 arr=20:05 type=B732 class=economy
1999-12-20 AEP MDZ number=AR1424 airline=ARG dep=08:10 arr=10:00 type=MD88 reg=LV-VBX seat=12A class=economy
1994-02 EZE MIA airline=ARG type=B742
`,
  ),
  sample(
    'c',
    'fr24, a nurse between Kyiv, Warsaw and the Caucasus',
    'flightdiary_2025_08_17_07_07.csv',
    newer,
    `
2003-05-17 ODS VIE number=OS656 airline=AUA dep=15:20 arr=16:15 type=CRJ2 reg=OE-LCK class=economy | Aircraft=Bombardier CRJ-200 (CRJ2)
2008-03-08 KBP LTBA number=PS711 airline=AUI dep=10:15 arr=12:15 type=B735 reg=UR-GAT seat=17A class=economy | To=Istanbul / Ataturk (IST/LTBA)
2010-12-29 KBP TBS number=VV215 airline=AEW dep=23:10 arr=03:45+1 type=B735 | Airline=AeroSvit Airlines (VV/AEW)
2011-06-11 LWO DME number=UN250 airline=TSO dep=13:40 arr=16:45 type=B735 reg=EI-DTU
2012-05-19 WAW KBP number=LO753 airline=LOT dep=22:45 arr=01:15+1 type=E170 reg=SP-LDC seat=12D class=economy
2013-04-14 IEV DTM number=WU6213 airline=WAU dep=06:20 arr=07:55 type=A320 reg=UR-WUA | Airline=Wizz Air Ukraine (WU/WAU)
2014-10-26 MSQ KBP number=B2847 airline=BRU dep=09:40 arr=09:45 type=B735 reg=EW-254PA seat=8F class=economy | Note=clocks went back in one country only
2017-10-07 KBP AMS number=PS101 airline=AUI dep=10:40 arr=12:45 type=B739 reg=UR-PSI seat=10F class=economy
2018-06-02 KBP TLV number=PS777 airline=AUI dep=09:55 arr=13:20 type=B738 reg=UR-PSZ seat=23C class=economy
2019-03-31 KBP WAW number=LO752 airline=LOT dep=05:55 arr=06:30 type=E195 reg=SP-LNC seat=2C class=business
2020-02-08 VIE ? number=PS846 airline=AUI dep=10:20 type=B738 class=economy | To=Kiev ; Note=which airport? ask Olena
2021-08-20 GYD KBP number=J257 airline=AHY dep=12:10 arr=14:15 type=A320 reg=4K-AZ78 seat=15A class=economy
2023-11-18 OTP FCO number=RO403 airline=ROT dep=08:50 arr=10:10 type=B738 reg=YR-BGM seat=19B class=economy
2025-07-01 WAW TBS number=LO723 airline=LOT dep=22:40 arr=04:15+1 type=B38M reg=SP-LVG seat=7D class=economy
`,
  ),
  sample(
    'c',
    'fr24, island hopping on both sides of the date line, edited on Windows',
    'flightdiary_2024_11_11_11_11.csv',
    edited,
    `
1994-11-05 SYD VHHX number=QF27 airline=QFA dep=14:00 arr=20:15 type=B743 reg=VH-EBU seat=38A class=economy | To=Hong Kong / Hong Kong (HKG/VHHH)
2001-04-12 BNE INU number=ON2 airline=RON dep=23:45 arr=06:15+1 type=B734 seat=9F class=economy | Airline=Air Nauru (ON/RON)
2003-10-19 HIR BNE number=IE700 airline=SOL dep=14:00 arr=16:20 type=B733 seat=4A class=economy
2006-08-08 SUV FUN number=PC501 airline=FAJ dep=09:00 arr=11:40 type=E120 | Airline=Air Fiji (PC/FAJ)
2008-12-07 HNL MAJ number=CO957 airline=COA dep=07:35 arr=10:35+1 type=B738 seat=20A class=economy
2008-12-21 MAJ HNL number=CO956 airline=COA dep=19:40 arr=02:20 type=B738 seat=20F class=economy | Note=the same day twice
2012-03-04 APW NAN number=FJ252 airline=FJI dep=06:00 arr=05:55 type=B738 reg=DQ-FJH | Airline=Air Pacific (FJ/FJI)
2013-09-22 NAN TRW number=FJ231 airline=FJI dep=09:45 arr=12:55 type=B738 reg=DQ-FJG seat=12C class=economy
2014-01-05 AKL NAN number=FJ410 airline=FJI dep=08:00 arr=11:05 type=A332 reg=DQ-FJT seat=31K class=economy
2015-06-27 VLI BNE number=NF20 airline=AVN dep=07:00 arr=08:55 type=B738 reg=YJ-AV1 seat=3C class=business
2016-05-01 POM HIR number=PX84 airline=ANG dep=09:15 arr=12:40 type=F100 reg=P2-AND
2017-07-09 ZQN AKL number=NZ620 airline=ANZ dep=13:35 arr=15:25 type=A320 reg=ZK-OXB seat=11F class=economy
2018-02-14 PPT AKL number=NZ41 airline=ANZ dep=08:10 arr=12:55+1 type=B789 reg=ZK-NZE seat=27A class=economy
2019-12-01 NOU SYD number=SB140 airline=ACI dep=07:35 arr=10:35 type=A320 reg=F-OZNC seat=2D class=business
`,
  ),
  sample(
    'c',
    'fr24, a Dutch family, years and months only at first, codes that moved',
    'flightdiary_2025_01_02_21_45.csv',
    newer,
    `
1987 AMS LGAT airline=TRA
1989-08 AMS ENFB airline=KLM
1995-07 AMS LIS airline=TAP type=A310
1996-12-27 AMS VHHX number=KL887 airline=KLM dep=12:30 arr=06:45+1 type=B744 reg=PH-BFH seat=54K class=economy
1998-07 AMS ? airline=CPA | To=Hong Kong / Hong Kong (HKG/) ; Note=one of the two
1999-05-14 RTM LCY number=VG210 airline=VLM dep=07:30 arr=07:30 type=F50 reg=OO-VLE seat=3A class=economy
2000-02-29 AMS BLL number=KL1291 airline=KLM dep=18:40 arr=19:50 type=F70 reg=PH-KZB seat=16C class=economy
2001-09-29 ZRH AMS number=SR792 airline=SWR dep=18:15 arr=19:50 type=A321 reg=HB-IOC seat=10F class=economy | Airline=Swissair (SR/SWR) ; Note=the last days
2006-07-15 AMS VTBD number=BR76 airline=EVA dep=20:40 arr=12:40+1 type=B744 reg=B-16407 seat=61A class=economy
2006-10-14 BKK AMS number=BR75 airline=EVA dep=12:50 arr=19:40 type=B744 reg=B-16410 seat=61K class=economy
2009-10-25 AMS LGW number=U28868 airline=EZY dep=08:05 arr=08:10 type=A319 reg=G-EZIH class=economy
2018-06-30 AMS OPO number=HV6003 airline=TRA dep=06:00 arr=07:30 type=B738 reg=PH-HXC seat=21D class=economy
2019 AMS ? airline=THY | To=Istanbul / Istanbul (IST/)
2024-12-27 AMS BGI number=KL737 airline=KLM dep=12:00 arr=16:15 type=A332 reg=PH-AOB seat=12H class=economy+
`,
  ),
]

const flighty: Sample[] = [
  sample(
    'c',
    'Flighty, Oman and the Gulf, a fog in Muscat',
    'FlightyExport-2026-10-01.csv',
    flightyExport,
    `
2026-12-30 MCT LHR number=WY101 airline=OMA dep=14:20 arr=18:10 type=B789
2025-09-25 MCT SLL number=WY917 airline=OMA dep=21:15 arr=22:55 depS=20:40 arrS=22:25 type=B738 reg=A4O-BAA seat=11F class=economy
- cancelled 2025-06-14 MCT AMM number=WY411 airline=OMA dep=15:30 arr=18:00 type=B38M
2025-06-08 MCT ISB number=OV571 airline=OMS dep=02:50 arr=06:40 type=A20N
2024-01-18 DOH MCT number=QR1128 airline=QTR dep=20:05 arr=22:40 type=A320 reg=A7-AHX seat=12A class=economy
2023-12-12 MCT DOH number=WY671 airline=OMA dep=09:00 arr=09:25 type=B38M seat=2A class=business
2023-01-10 IST SLL number=WY164 airline=OMA dep=19:40 arr=02:25+1 depS=19:30 arrS=00:55+1 type=B789 seat=15C class=economy | To=MCT ; Diverted To=SLL ; Notes=fog
2021-03-09 BAH MCT number=GF564 airline=GFA dep=22:05 depS=21:20 arrS=23:55 type=A20N seat=17D class=economy
2019-10-30 MCT BOM number=WY203 airline=OMA dep=01:10 arr=05:30 type=B739 seat=8A class=economy
2018-05-17 SHJ MCT number=G9111 airline=ABY dep=13:20 arr=14:20 type=A320 reg=A6-ANN
2014-06-05 DOH MCT number=QR1132 airline=QTR dep=08:05 arr=10:30 type=A321 seat=20F class=economy
2014-05-05 MCT OTBD number=WY665 airline=OMA dep=15:20 arr=16:00 type=B738 | To=DOH
2009-11-19 KWI DXB number=J9121 airline=JZR type=A320
`,
  ),
  sample(
    'c',
    'Flighty, a South African, the old Durban, low-cost airlines that ended',
    'FlightyExport-2026-06-16.csv',
    flightyExport,
    `
2009-04-09 JNB FADN number=SA569 airline=SAA dep=16:00 arr=17:05 type=A319 reg=ZS-SFE | To=DUR
2010-06-11 JNB DUR number=JE255 airline=MNO dep=07:00 arr=08:05 type=B738 reg=ZS-SJG seat=24A class=economy
2011-12-16 CPT WDH number=SW722 airline=NMB dep=18:10 arr=20:10 type=A319 reg=V5-ANK
2012-07-07 CPT WDH number=SW706 airline=NMB dep=08:00 arr=09:00 type=A319 reg=V5-ANL | Notes=winter time in Namibia
2013-02-03 JNB MRU number=SA190 airline=SAA dep=09:45 arr=15:45 type=A332 reg=ZS-SXZ seat=2A class=business
2015-08-01 JNB LUN number=4Z160 airline=LNK dep=10:35 arr=12:35 type=E135 reg=ZS-SJX seat=9A class=economy | Aircraft Type Name=Embraer ERJ-135
2016-01-30 DUR CPT number=FA253 airline=SFR dep=17:30 arr=19:45 type=B734 reg=ZS-JRD
2018-10-20 JNB PLZ number=MN6431 airline=CAW dep=06:05 arr=07:45 type=B738 reg=ZS-ZWB seat=18C class=economy
2019-03-23 JNB MPM number=TM302 airline=LAM dep=13:55 arr=14:50 type=E190 reg=C9-EMA
- cancelled 2020-03-27 JNB CPT number=SA317 airline=SAA dep=09:00 arr=11:10 type=A320 seat=5C class=economy
2022-05-31 CPT JNB number=MN108 airline=CAW dep=19:25 arr=21:20 depS=18:50 arrS=20:55 type=B738 reg=ZS-ZWS seat=22D class=economy
2023-08-24 CPT JNB number=FA202 airline=SFR dep=10:00 arr=12:00 depS=10:00 arrS=12:05 type=B738 reg=ZS-SJV
2024-11-30 CPT ATL number=DL211 airline=DAL dep=22:50 arr=08:00+1 type=A359 reg=N508DN seat=31J class=economy+
2026-12-02 JNB SEZ number=HM60 airline=SEY dep=12:20 arr=19:20 type=A20N
`,
  ),
  sample(
    'c',
    'Flighty, Manila, Papua and the date line, a typhoon',
    'FlightyExport-2026-09-09.csv',
    flightyExport,
    `
2026-11-28 MNL SIN number=5J813 airline=CEB dep=05:30 arr=09:15 type=A21N seat=14C
2025-12-20 SFO MNL number=PR105 airline=PAL dep=22:30 arr=05:00+2 type=B77W reg=RP-C7772 seat=48C class=economy
2025-12-06 MNL SFO number=PR104 airline=PAL dep=22:05 arr=18:51 depS=21:55 arrS=18:45 type=B77W reg=RP-C7781 seat=47A class=economy
2025-02-14 MNL CEB number=5J565 airline=CEB dep=14:12 depS=13:05 arrS=14:30 type=A320 reg=RP-C4100
- cancelled 2024-07-24 MNL DVO number=5J961 airline=CEB dep=11:10 arr=13:10 type=A320
2024-05-30 DVO MNL number=PR2808 airline=PAL dep=08:20 arr=10:20 type=A321 reg=RP-C9907 seat=9F class=economy
2023-10-20 DJJ CGK number=GA657 airline=GIA dep=12:30 arr=15:55 type=B738 reg=PK-GNF seat=6A class=business
2023-10-16 UPG DJJ number=JT892 airline=LNI dep=02:15 arr=06:40 type=B739 reg=PK-LHJ
2023-10-14 CGK UPG number=GA604 airline=GIA dep=05:10 arr=08:30 type=B738 reg=PK-GFM seat=25K class=economy
2023-10-10 MNL CGK number=PR535 airline=PAL dep=21:05 arr=00:05+1 type=A21N seat=33D class=economy
2022-04-09 MNL DXB number=EK333 airline=UAE dep=23:40 arr=04:50+1 type=B77W reg=A6-EQG seat=22A class=economy
2019-08-31 CEB NRT number=5J5062 airline=CEB dep=06:20 arr=12:00 type=A320
2018-01-20 MNL KUL number=AK583 airline=AXM dep=09:30 arr=13:30 type=A320 reg=9M-AJC
2012-09-09 HKG MNL number=CX919 airline=CPA dep=18:30 arr=20:40 type=A333 reg=B-HLV seat=16A class=economy
`,
  ),
  sample(
    'c',
    'Flighty, the Azores, Madeira and Cape Verde',
    'FlightyExport-2026-02-02.csv',
    flightyExport,
    `
2026-01-11 PDL LIS number=S4120 airline=RZO dep=07:10 arr=10:25 type=A20N reg=CS-TSK seat=4A class=economy
2025-08-15 PDL BOS number=S4221 airline=RZO dep=16:10 arr=17:42 depS=16:00 arrS=17:35 type=A21N reg=CS-TSF seat=3A class=business
- cancelled 2025-07-31 PDL TER number=SP464 airline=SAT dep=17:00 arr=17:40
2025-05-02 TER PDL number=SP465 airline=SAT dep=18:20 arr=19:00 type=DH8D reg=CS-TRF | Aircraft Type Name=Bombardier Dash 8 Q400
2024-10-01 SID LIS number=TP1542 airline=TAP dep=05:20 arr=11:10 type=A21N seat=27D class=economy
2024-09-20 LIS RAI number=TP1547 airline=TAP dep=21:35 arr=23:45 type=A20N reg=CS-TVA seat=11C class=economy
2023-10-29 LIS FNC number=TP1681 airline=TAP dep=12:00 arr=13:50 type=A321 reg=CS-TJF seat=19A class=economy
2022-06-10 OPO LUX number=LG3752 airline=LGL dep=13:15 arr=16:40 type=B738 reg=LX-LBB seat=22E class=economy
2021-12-24 FAO BRS number=U26098 airline=EZY dep=20:25 arr=23:10 type=A320 reg=G-EZRL
2019-02-17 YYZ PDL number=S4324 airline=RZO dep=21:30 arr=07:00+1 type=A21N reg=CS-TSF seat=15F class=economy
2018-07-29 LIS OPO number=TP1922 airline=TAP dep=07:05 arr=08:00 type=E190 reg=CS-TPO seat=8C class=economy
2016-08-05 PDL LIS number=S4121 airline=RZO dep=10:30 arr=13:35 type=A310 reg=CS-TGV | Aircraft Type Name=Airbus A310-300
2004-08-14 LIS PDL number=S4120 airline=RZO
`,
  ),
]

const flightMemory: Sample[] = [
  sample(
    'c',
    'FlightMemory, German page of a man from Leipzig, from Interflug on',
    'FlightMemory - FlightData.html',
    page({ german: true }),
    `
2016-05-05 LEJ FRA number=LH161 airline=DLH dep=09:55 arr=10:55 type=E190 reg=D-AECE seat=8F class=economy
2013-11-01 LEJ LTBA number=TK1592 airline=THY dep=18:55 arr=22:45 type=B738 reg=TC-JHK seat=22A class=economy
2011-07-29 SXF ALC number=U24649 airline=EZY dep=06:15 arr=09:00 type=A319 class=economy | comment=Tür klemmte – „alles gut“
2008-10-12 LEJ VIE number=OS212 airline=AUA dep=17:55 arr=19:10 type=F70 reg=OE-LFJ seat=11C class=economy
2006-10-20 LEJ PMI number=AB2506 airline=BER dep=13:25 arr=15:55 type=B738 reg=D-ABAO seat=12A class=economy
2003-08-22 LEJ MUC number=LH1067 airline=DLH dep=06:25 arr=07:25 type=CRJ2 reg=D-ACHB seat=4A class=economy | aircraft=Canadair CRJ-200<br>D-ACHB<br>Lüdenscheid
2000-05-28 TXL MUC number=DI7127 airline=BAG dep=08:00 arr=09:10 type=B733 reg=D-ADBK | airline=Deutsche BA<br>DI 7127
1998-09-30 FRA ENFB number=LH3138 airline=DLH dep=16:55 arr=18:55 type=A320 reg=D-AIQF seat=9D class=economy
1997-06-14 LEJ AYT number=YP654 airline=AEF dep=04:45 arr=09:10 type=A320 reg=D-ALAA | airline=Aero Lloyd<br>YP 654
1995-04-08 FRA VHHX number=LH738 airline=DLH dep=14:30 arr=07:55+1 type=B744 reg=D-ABTE seat=44K class=economy
1993-07-17 LEJ PMI number=LT1472 airline=LTU dep=05:10 arr=07:40 type=B752 class=economy | airline=LTU<br>LT 1472
1986 SXF LED number=IF604 airline=IF type=T134 | airline=Interflug<br>IF 604
`,
  ),
  sample(
    'c',
    'FlightMemory, American page of a Texan, am and pm, airlines that are gone',
    'flightdata (2).htm',
    page({ american: true, twelve: true, miles: true }),
    `
1985-08-17 DFW LGW number=BR234 airline=BCA dep=17:45 arr=08:40+1 type=DC10 | airline=British Caledonian<br>BR 234
1987-12-23 JFK FRA number=PA72 airline=PAA dep=19:30 arr=08:50+1 type=A310 reg=N803PA seat=24A class=economy | airline=Pan Am<br>PA 72
1989-02-18 ATL MIA number=EA565 airline=EAL dep=14:10 arr=15:55 type=B722 class=economy | airline=Eastern Air Lines<br>EA 565
1990-03-11 HOU DAL number=WN33 airline=SWA dep=12:30 arr=13:20 type=B733
1994-07-02 DFW MEX number=AA461 airline=AAL dep=17:05 arr=18:45 type=MD82 reg=N253AA seat=14F class=economy
1996-10-05 DFW NRT number=AA175 airline=AAL dep=12:30 arr=15:25+1 type=MD11 reg=N1757A seat=31C class=economy
2000-01-15 DFW AUS number=AA1055 airline=AAL dep=11:00 arr=11:58 type=F100 reg=N1400H seat=3A class=first
2001-06-10 STL SFO number=TW61 airline=TWA dep=09:00 arr=11:10 type=MD83 reg=N9630A seat=21D class=economy
2003-09-20 DFW SJU number=AA1361 airline=AAL dep=10:00 arr=15:35 type=B752 reg=N633AA seat=19E class=economy
2007-03-31 MIA SEQU number=AA967 airline=AAL dep=18:30 arr=21:35 type=B752 reg=N175AN seat=9A class=economy
2008-11-22 DFW FRA number=AA70 airline=AAL dep=16:45 arr=09:00+1 type=B772 reg=N786AN seat=5J class=business
2014 DFW GRU airline=AAL type=B77W
`,
  ),
  sample(
    'c',
    'FlightMemory, English page of a Malaysian, two airports called KUL',
    'FlightMemory.html',
    page({}),
    `
2019-12-15 KUL CCU number=AK63 airline=AXM dep=22:30 arr=23:55 type=A320
2017-04-29 BKI BWN number=BI822 airline=RBA dep=17:45 arr=18:25 type=A320 reg=V8-RBU seat=12C class=economy
2015-09-12 KUL DOH number=QR845 airline=QTR dep=20:55 arr=23:40 type=B77W reg=A7-BEB seat=2K class=business
2014-03-30 KUL SGN number=MH750 airline=MAS dep=09:15 arr=10:10 type=B738 reg=9M-MXA seat=17A class=economy
2013-05-18 WMSA PEN number=FY1426 airline=FFM dep=12:00 arr=13:00 type=AT75 reg=9M-FYC | from=<b>SZB</b>
2011-01-29 KUL MEL number=D72722 airline=XAX dep=21:45 arr=08:50+1 type=A333 reg=9M-XXB seat=22H class=economy | airline=AirAsia X<br>D7 2722
2009-06-05 PEN SIN number=3K672 airline=JSA dep=12:25 arr=13:45 type=A320 reg=9V-JSH | airline=Jetstar Asia<br>3K 672
2006-11-18 KUL BKK number=AK880 airline=AXM dep=06:40 arr=07:45 type=B733 reg=9M-AAV
2003-08-31 KUL VTBD number=AK852 airline=AXM dep=07:10 arr=08:15 type=B733 reg=9M-AAA
2000-10-07 BKI KCH number=MH2625 airline=MAS dep=10:00 arr=11:20 type=B734 reg=9M-MMC seat=8C class=economy
1998-07-18 KUL PER number=MH125 airline=MAS dep=09:30 arr=15:00 type=A333 reg=9M-MKB seat=19H class=economy
1996-12-01 WMSA LHR number=MH2 airline=MAS dep=23:35 arr=05:20+1 type=B744 reg=9M-MPD seat=12A class=business
1993-02-06 WMSA PEN number=MH1140 airline=MAS dep=08:00 arr=08:45 type=B734 reg=9M-MLB class=economy
1988 WMSA SIN airline=MAS
`,
  ),
  sample(
    'c',
    'FlightMemory, a Brazilian, shouting tags, airlines of the old days',
    'flightmemory_paulo.html',
    page({ shout: true }),
    `
1985 GIG JFK airline=VRG type=DC10
1991-03-16 CGH SDU airline=VRG type=L188 | aircraft=Lockheed L-188 Electra ; comment=a ponte a&eacute;rea
1996-08-03 GRU MIA number=VP814 airline=VSP dep=22:30 arr=05:50+1 type=MD11 reg=PP-SPE seat=31A class=economy | airline=VASP<br>VP 814
1999-07-10 GRU REC number=RG2312 airline=VRG dep=09:00 arr=12:00 type=B733 reg=PP-VOX seat=6C class=economy | airline=Varig<br>RG 2312
2001-07-07 GRU BSB number=TR451 airline=TBA dep=12:15 arr=14:00 type=B733 class=economy | airline=Transbrasil<br>TR 451
2006-04-29 CGH CWB number=G31242 airline=GLO dep=07:30 arr=08:25 type=B737 reg=PR-GOA | airline=GOL<br>G3 1242
2008-06-07 GRU SCL number=JJ8028 airline=TAM dep=09:50 arr=12:55 type=A320 reg=PR-MHG seat=14D class=economy | airline=TAM<br>JJ 8028
2010-09-18 VCP POA number=AD4062 airline=AZU dep=07:00 arr=08:50 type=E195 reg=PR-AYA seat=9A class=economy
2012-02-25 GIG LIS number=TP74 airline=TAP dep=18:00 arr=05:20+1 type=A332 reg=CS-TOO seat=20H class=economy
2014-06-28 FOR REC number=JJ3339 airline=TAM dep=10:05 arr=11:20 type=A320 seat=11A class=economy | airline=TAM<br>JJ 3339
2016-08-21 SDU CNF number=AD4181 airline=AZU dep=21:10 arr=22:20 type=AT76 reg=PR-ATB
2022-07-09 GRU JFK number=DL226 airline=DAL dep=22:15 arr=07:05+1 type=A339 reg=N401DZ seat=34C class=economy | aircraft=Airbus A330-900neo<br>N401DZ
`,
  ),
]

const appInTheAir: Sample[] = [
  sample(
    'c',
    "App in the Air, a Kenyan, one-digit numbers, a friend's trip",
    'data.txt',
    dataOf('Wanjiru Kamau;wanjiru@example.org;KE'),
    `
2011-06-18 NBO MBA number=KQ604 airline=KQA dep=08:00 arr=09:00 type=E190 seat=7A class=economy
2011-06-22 MBA NBO number=KQ613 airline=KQA dep=20:15 arr=21:15 type=E190 seat=9C class=economy
2012-04-05 NBO DAR number=PW718 airline=PRF dep=17:10 arr=18:25 type=AT45
2012-04-10 DAR ZNZ number=PW448 airline=PRF dep=09:00 arr=09:25 type=AT45
2013-08-03 NBO EBB number=KQ412 airline=KQA dep=10:30 arr=11:45 type=B738
2014-01-12 NBO AMS number=KQ116 airline=KQA dep=23:59 arr=06:15+1 type=B772 seat=24A class=economy
2014-02-02 AMS NBO number=KQ117 airline=KQA dep=20:35 arr=06:35+1 type=B772 seat=24K class=economy
2015-05-30 KGL EBB number=WB422 airline=RWD dep=16:30 arr=18:30 type=CRJ9 seat=5D class=economy
2016-10-14 NBO JNB number=SA185 airline=SAA dep=16:15 arr=19:30 type=A319 seat=17F class=economy
2017-12-27 ADD NBO number=ET302 airline=ETH dep=10:15 arr=12:20 type=B788 class=economy
2018-11-04 NBO JFK number=KQ2 airline=KQA dep=23:25 arr=06:25+1 type=B788 seat=11K class=economy | trip=new
2018-11-18 JFK NBO number=KQ3 airline=KQA dep=12:25 arr=10:55+1 type=B788 seat=22D class=economy
- not_mine 2019-08-10 NBO MBA number=KQ612 airline=KQA dep=18:00 arr=19:00 type=E190 | owner=NOT_MINE
2019-12-20 NBO DXB number=EK720 airline=UAE dep=16:40 arr=22:40 type=B77W seat=26A class=economy | trip=new
`,
  ),
  sample(
    'c',
    'App in the Air, Vietnam and its neighbours, no summer time but Sydney',
    'data.txt',
    dataOf('Linh Tran;linh@example.org;VN', '\r\n'),
    `
2012-01-19 SGN HAN number=VN222 airline=HVN dep=07:30 arr=09:30 type=A321 seat=18A class=economy
2012-01-27 HAN SGN number=VN225 airline=HVN dep=17:00 arr=19:05 type=A321 seat=20C class=economy
2013-04-28 HAN VTE number=QV312 airline=LAO dep=09:50 arr=11:05 type=?
2013-05-04 VTE HAN number=QV313 airline=LAO dep=17:20 arr=18:35 type=?
2014-02-02 DAD SGN number=VJ633 airline=VJC dep=21:15 arr=22:35 type=A320
2014-07-19 SGN PNH number=K6821 airline=KHV dep=18:40 arr=19:30 type=A321
2015-10-03 REP HAN number=VN836 airline=HVN dep=19:40 arr=21:30 type=A321 seat=11F class=economy
2016-09-30 SGN SYD number=VN773 airline=HVN dep=20:45 arr=08:15+1 type=B789 seat=31K class=economy
2016-10-08 SYD SGN number=VN772 airline=HVN dep=10:25 arr=15:00 type=B789 seat=32A class=economy
2018-04-21 SGN DMK number=FD659 airline=AIQ dep=10:35 arr=12:10 type=A320
2018-04-24 DMK SGN number=FD658 airline=AIQ dep=08:20 arr=09:55 type=A320
2019-11-16 HAN ICN number=VJ962 airline=VJC dep=23:05 arr=05:15+1 type=A321 seat=7C class=economy | class=ECOLIGHT
2023-01-15 SGN FRA number=VN31 airline=HVN dep=22:55 arr=06:05+1 type=B789 seat=2D class=business
`,
  ),
  sample(
    'c',
    'App in the Air, the Caucasus, neighbours that changed their clocks',
    'data.txt',
    dataOf('Nino Beridze;nino@example.org;GE'),
    `
2010-08-14 TBS LTBA number=TK381 airline=THY dep=05:40 arr=07:05 type=B738 | to=IST
2010-08-20 LTBA TBS number=TK386 airline=THY dep=23:50 arr=03:10+1 type=B738 seat=14A class=economy | from=IST
2011-05-06 TBS MUC number=LH2557 airline=DLH dep=05:10 arr=07:15 type=A319 seat=8F class=economy
2012-03-24 KBP TBS number=PS515 airline=AUI dep=20:15 arr=00:50+1 type=B735
2013-10-12 TBS GYD number=J2226 airline=AHY dep=17:45 arr=19:50 type=A319 seat=12A class=economy
2014-01-18 GYD TBS number=J2225 airline=AHY dep=15:40 arr=16:50 type=A319 seat=10D class=economy
2015-07-04 TBS SAW number=PC317 airline=PGT dep=10:20 arr=11:40 type=B738
2016-06-11 EVN TBS number=A9722 airline=TGZ dep=20:00 arr=20:45 type=E190
2017-09-09 TBS ALA number=KC140 airline=KZR dep=04:10 arr=09:55 type=A320 seat=3C class=business
2018-05-26 ALA DXB number=FZ1722 airline=FDB dep=10:15 arr=12:40 type=B738
2019-02-08 TBS WAW number=LO724 airline=LOT dep=04:55 arr=05:45 type=E195 seat=16F class=economy
2022-10-01 TBS IST number=TK383 airline=THY dep=10:25 arr=11:55 type=A321 seat=27B class=economy
`,
  ),
]

const openFlights: Sample[] = [
  sample(
    'c',
    'OpenFlights, an Indonesian, three zones in one country, notes with quotes',
    'openflights-2024-02-01.csv',
    withIds,
    `
2007-11-17 CGK SUB number=KI170 airline=DHI dep=10:00 arr=11:20 type=B734 | Airline=Adam Air ; Note=later they said "luck", we had it
2008-12-20 CGK DPS number=GA404 airline=GIA dep=09:40 arr=12:30 type=B734 reg=PK-GZN seat=14A class=economy
2009-07-05 SIN CGK number=GA825 airline=GIA dep=09:50 arr=10:35 type=B738 reg=PK-GMF seat=21C class=economy
2011-04-23 DPS PER number=GA726 airline=GIA dep=15:10 arr=18:50 type=B738 reg=PK-GMA seat=24F class=economy
2012-05-26 DPS UPG number=JT745 airline=LNI dep=16:00 arr=17:20 type=B739 reg=PK-LFG
2013-09-07 CGK KUL number=MH720 airline=MAS dep=14:55 arr=18:00 type=B738 reg=9M-MLU seat=17F class=economy
2014-10-11 CGK JED number=SV817 airline=SVA dep=17:20 arr=23:05 type=B77W reg=HZ-AK19 seat=42C class=economy
2016-03-05 SUB UPG number=QG424 airline=CTV dep=06:00 arr=08:25 type=A320 reg=PK-GLK
2017-11-27 DPS SUB airline=GIA | Note=closed: "ash, ash, ash", then a bus
2018-01-13 HND CGK number=GA875 airline=GIA dep=11:45 arr=17:25 type=B77W reg=PK-GIG seat=38H class=economy
2022-08-17 DPS CGK number=ID6507 airline=BTK dep=20:10 arr=21:05 type=A320 seat=5D class=economy
2023-05-20 CGK SIN number=TR277 airline=TGW dep=10:40 arr=13:30 type=A320 reg=9V-TRH
`,
  ),
  sample(
    'c',
    'OpenFlights, a Trinidadian, no trips and ids, night to Gatwick',
    'my-flights.csv',
    withoutIds,
    `
2008-02-02 POS BGI number=LI770 airline=LIA dep=07:05 arr=08:05 type=DH8C seat=4A class=economy | Airline=LIAT
2009-07-18 POS MIA number=BW480 airline=BWA dep=07:20 arr=11:10 type=B738 reg=9Y-ANU seat=17C class=economy
2010-12-27 KIN POS number=BW415 airline=BWA dep=12:00 arr=15:50 type=B738 reg=9Y-SXM seat=9A class=economy
2012-06-30 POS JFK number=BW550 airline=BWA dep=23:30 arr=04:40+1 type=B738 reg=9Y-GEO seat=20F class=economy
2014-08-09 POS YYZ number=WS2411 airline=WJA dep=01:10 arr=06:50 type=B738 seat=15A class=economy
2015-11-07 POS PTY number=CM267 airline=CMP dep=05:55 arr=08:05 type=B738 reg=HP-1716CMP seat=12D class=economy
2015-11-07 PTY LIM number=CM131 airline=CMP dep=09:25 arr=13:00 type=B738 reg=HP-1834CMP seat=7A class=economy
2016-02-08 BGI LGW number=BA2154 airline=BAW dep=17:55 arr=06:10+1 type=B772 reg=G-VIIU seat=30K class=economy
2016-02-22 LGW BGI number=BA2155 airline=BAW dep=10:30 arr=15:15 type=B772 reg=G-VIIV seat=11E class=economy+
2018-03-11 MIA POS number=AA1433 airline=AAL dep=17:40 arr=21:30 type=B738 seat=9F class=economy | Note=clocks, "spring forward", in Miami only
2019 POS SJU airline=BWA
`,
  ),
  sample(
    'c',
    'OpenFlights, the Canadian prairies, dates typed with slashes',
    'flights-edited.csv',
    slashed,
    `
2009-11-03 YEG YWG number=WS254 airline=WJA type=B736 reg=C-GWSJ class=economy
2010-04-02 YWG YEG number=WS253 airline=WJA type=B736 reg=C-GXWJ class=economy
2011-07-11 YEG LHR number=AC888 airline=ACA dep=20:15 arr=11:45+1 type=B763 reg=C-FCAG seat=21A class=economy
2012-12-07 YYC KEF number=FI697 airline=ICE type=B752
2013-02-28 YEG YYZ number=AC166 airline=ACA dep=00:35 arr=06:20 type=A320 reg=C-FDSN seat=12D class=economy
2014-05-06 YWG YYC number=WS443 airline=WJA type=B737 reg=C-FWSY
2015-09-05 YYZ LGW number=TS734 airline=TSC dep=22:10 arr=10:20+1 type=A332 reg=C-GITS seat=30C class=economy
2016 YEG YVR airline=ACA | Date=2016
2017-08-08 YEG YVR number=WS127 airline=WJA type=B738 reg=C-GAWJ seat=19F class=economy+
2018-03-04 YEG SEA number=AS2312 airline=QXE type=DH8D | Airline=Horizon Air ; Note=said "Alaska" on the tail
2019-10-12 YYC YEG number=WS3116 airline=WJA type=DH8D reg=C-FKWE | Plane=De Havilland Canada Dash 8-400
`,
  ),
]

const others: Sample[] = [
  sample(
    'c',
    'jetlog, Lusophone Africa, islands with an hour less',
    'jetlog_2026-05-01.csv',
    jetlogToday,
    `
2014-07-19 LPPT FNLU number=DT651 airline=DTA dep=23:00 arr=06:35+1 type=B77W reg=D2-TEG class=economy
2014-08-16 FNLU LPPT number=DT650 airline=DTA dep=10:30 arr=18:10 type=B77W reg=D2-TEH class=business
2015-03-29 LPPR LPMA number=TP1711 airline=TAP dep=14:10 arr=16:15 type=A319 reg=CS-TTO class=economy | notes=vento\\ntrês tentativas
2016-12-18 LPPT GVNP number=TP1549 airline=TAP dep=20:40 arr=23:50 type=A320 reg=CS-TNV class=economy
2017-01-02 GVNP LPPT number=TP1548 airline=TAP dep=01:10 arr=06:05 type=A320 reg=CS-TNW class=economy
2018-05-11 FAOR FQMA number=SA144 airline=SAA dep=09:40 arr=10:45 type=A319 reg=ZS-SFJ
2018-05-19 FQMA FNLU number=DT582 airline=DTA dep=14:00 arr=17:10 type=B737 reg=D2-TBH
2019-10-26 LPPT LPPD number=S4125 airline=RZO dep=21:30 arr=22:50 type=? | airplane=Airbus A330
2021-08-01 LPPD LPPR number=FR2617 airline=RYR dep=11:25 arr=14:40 type=B738 reg=9H-QCB
2023-11-25 LPPT SBRF number=TP11 airline=TAP dep=16:10 arr=20:45 type=A339 reg=CS-TUI class=economy+
2025-06-14 SBFZ LPPT number=TP36 airline=TAP dep=22:40 arr=09:50+1 type=A21N reg=CS-TXB class=economy
`,
  ),
  sample(
    'c',
    'byAir, Istanbul and the Gulf, two airports in the city, shared flights',
    'byair-export-2026.csv',
    byAirExport,
    `
2021-06-11 SAW AMM number=PC756 airline=PGT dep=10:35 arr=12:50 seat=14A class=economy
2021-06-20 AMM SAW number=PC757 airline=PGT dep=13:40 arr=16:00 seat=15C class=economy
2022-03-05 IST JED number=TK92 airline=THY dep=19:55 arr=23:40 seat=29E class=economy
2022-11-20 IST DOH number=QR240 airline=QTR dep=01:40 arr=05:55 seat=11A class=economy
2023-01-08 DOH IST number=TK781 airline=THY dep=03:10 arr=07:40 class=business
- not_mine 2023-05-06 SAW BEY number=PC862 airline=PGT dep=09:45 arr=11:35 seat=7C class=economy
2023-09-15 RUH DXB number=XY209 airline=KNE dep=22:30 arr=01:20+1
2024-04-10 DXB SAW number=FZ753 airline=FDB dep=07:35 arr=11:35 seat=4F class=business
2024-10-27 IST LHR number=TK1979 airline=THY dep=08:15 arr=09:20 seat=12F class=economy | flight_code=TK*1979
2025-02-14 IST MRU number=TK160 airline=THY dep=01:25 arr=12:50 seat=33A class=economy+
2026-08-30 IST BEY number=ME266 airline=MEA dep=22:50 arr=00:40+1
`,
  ),
  sample(
    'c',
    'JetLovers, the airlines of what was Yugoslavia',
    'jetlovers_flights.csv',
    jetLoversFile('\r\n'),
    `
2004-10-02 LJU FRA number=JP124 airline=ADR type=CRJ2 reg=S5-AAG seat=8A class=economy | airline=Adria Airways ; aircraft=Bombardier CRJ-200
2007-06-23 TGD BEG number=YM103 airline=MGX type=F100 reg=YU-AOM class=economy
2009-03-14 BEG LHR number=JU210 type=B733 reg=YU-ANK seat=12D class=economy | airline=Jat Airways
2011-08-20 ZAG DBV number=OU660 airline=CTN type=DH8D reg=9A-CQB seat=5C class=economy | aircraft=Dash 8 Q400
2012-05-05 SKP VIE number=OS780 airline=AUA type=F100 reg=OE-LVE seat=3A class=business
2013-12-21 SJJ LJU number=JP943 airline=ADR type=CRJ9 reg=S5-AAL seat=10F class=economy
2014-07-12 BEG AUH number=JU920 airline=ASL type=A319 reg=YU-APD seat=20C class=economy
2016-09-24 ZAG SPU number=OU656 airline=CTN type=A319 reg=9A-CTG seat=1A class=economy
2018-06-16 LJU TGD number=JP936 airline=ADR type=CRJ7 reg=S5-AAZ seat=12A class=economy
2019-08-10 BEG JFK number=JU500 airline=ASL type=A332 reg=YU-ARA seat=2D class=business
2023-07-01 BEG TGD number=JU682 airline=ASL type=AT76 reg=YU-ASA | aircraft=ATR 72-600
`,
  ),
  sample(
    'c',
    'Miles & More, Stuttgart and Anatolia, old rows without times',
    'segmentList(1).json',
    wrapped,
    `
2026-10-04 STR IST number=TK1704 airline=THY dep=11:25 arr=15:20 type=A321 class=economy
2025-07-26 SAW STR number=XQ987 airline=SXS dep=06:40 arr=08:50 type=B738 class=economy
2019-08-30 IST STR number=TK1703 airline=THY dep=08:00 arr=10:05 type=? class=economy | AircraftCode="737 "
2018-08-03 STR LTBA number=TK1704 airline=THY dep=11:25 arr=15:15 type=A321 class=economy
2017-05-19 STR ZRH number=LX1175 airline=SWR dep=06:30 arr=07:15 class=business | AircraftCode="   "
2017-05-19 ZRH BKK number=LX180 airline=SWR dep=17:55 arr=09:30+1 type=A343 class=business
2015-11-06 FRA EBB number=SN465 airline=BEL class=economy
2014-03-15 MUC JNB number=SA265 airline=SAA dep=20:55 arr=07:25+1 type=A346 class=economy
2013-09-28 STR ATH number=A3513 airline=AEE dep=11:05 arr=14:40 type=A320 class=economy
2012-10-06 FRA DEL number=LH760 airline=DLH dep=13:35 arr=00:55+1 type=B744 class=economy+ | CompartmentClass="E"
2004-04-24 STR LTBA number=LH3412 airline=DLH class=economy
`,
  ),
  sample(
    'c',
    'Miles & More, a member from Singapore, partners with digits',
    'me-segments.json',
    bare,
    `
2024-11-16 SIN FRA number=SQ26 airline=SIA dep=23:55 arr=05:45+1 type=A388 class=business
2024-02-03 TPE SIN number=BR215 airline=EVA dep=07:40 arr=12:20 type=A333 class=economy
2023-06-17 SIN BKK number=TG404 airline=THA dep=12:25 arr=13:55 type=B77W class=economy
2019-12-07 SIN DEL number=AI381 airline=AIC dep=20:50 arr=00:05+1 type=B788 class=economy
2018-09-15 ADD SIN number=ET638 airline=ETH dep=23:15 arr=13:25+1 type=B788 class=economy
2017-10-21 SIN PEK number=CA970 airline=CCA dep=00:15 arr=06:30 type=A333 class=economy
2016-05-14 SIN HND number=NH844 airline=ANA dep=22:30 arr=06:35+1 type=B789 class=economy+ | CompartmentClass="W"
2014-08-09 SIN AKL number=SQ285 airline=SIA dep=20:50 arr=10:25+1 type=B77W class=economy
2013-01-26 SIN DPS number=SQ942 airline=SIA dep=09:35 arr=12:10 type=? class=first | AircraftCode="777" ; CompartmentClass="F"
2011-02-19 SIN MUC number=LH791 airline=DLH dep=23:20 arr=05:40+1 type=A346 class=economy
`,
  ),
  sample(
    'c',
    'AirTrail JSON, a family between Riyadh, Cairo and Amman',
    'airtrail-2026-03.json',
    airTrailJson(withOffset),
    `
2003 RUH CAI airline=SVA
2016-08 CAI HRG airline=MSR
2018-06-13 RUH CAI number=SV301 airline=SVA dep=23:50 arr=01:40+1 type=B77W reg=HZ-AK28 seat=33C class=economy
2018-06-30 CAI RUH number=MS647 airline=MSR dep=10:15 arr=13:45 type=B738 reg=SU-GDX seat=8F class=economy
2020-01-22 AMM CAI number=RJ503 airline=RJA dep=17:40 arr=19:10 type=E195 reg=JY-EME seat=11A class=economy
2021-10-14 JED AMM number=RJ701 airline=RJA dep=13:05 arr=15:15 type=A320 reg=JY-AYT seat=19D class=economy
2023-04-28 CAI DMM number=MS683 airline=MSR dep=22:05 arr=00:40+1 type=B738 reg=SU-GEG seat=27B class=economy
2023-07-07 RUH LHR number=SV117 airline=SVA dep=08:45 arr=13:20 depS=08:15 arrS=13:00 type=B789 reg=HZ-ARF seat=4A class=business
2024-04-26 CAI JED number=NP111 airline=NIA dep=05:00 arr=07:05 type=A320 reg=SU-BTM | airline={"name":"Nile Air","icao":"NIA","iata":"NP","iconPath":null,"sourceId":null}
2026-12-11 RUH AMM number=RJ735 airline=RJA dep=19:30 arr=21:55 type=E195
`,
  ),
  sample(
    'c',
    'AirTrail JSON before version 3, Colombia, evenings that are tomorrow in UTC',
    'airtrail_old.json',
    oldJson,
    `
2012-03-16 SKBO SKCG number=AV9530 airline=AVA dep=21:40 arr=23:05 type=A319 reg=HK-4553 seat=16A class=economy
2012-03-19 SKCG SKBO number=AV9531 airline=AVA dep=19:55 arr=21:25 type=A319 reg=N422AV seat=17C class=economy
2014-09-05 SKCL MPTO number=CM210 airline=CMP dep=18:30 arr=19:55 type=E190 reg=HP-1564CMP seat=7D class=economy
2014-09-08 MPTO SKCL number=CM217 airline=CMP dep=21:28 arr=22:57 type=E190 reg=HP-1568CMP seat=9A class=economy
2016-12-30 SKBO KMIA number=AA914 airline=AAL dep=23:55 arr=03:45+1 type=B763 reg=N390AA seat=21J class=economy
2017-01-14 KMIA SKRG number=AV31 airline=AVA dep=17:05 arr=19:40 type=A320 reg=N481AV seat=10F class=economy
2019-06-22 SKBO SPJC number=LA2407 airline=LAN dep=20:15 arr=23:20 type=A320
2021-07-17 SKBO LEMD number=IB6586 airline=IBE dep=17:10 arr=09:50+1 type=A359 reg=EC-MXV seat=34K class=economy
`,
  ),
]

export const thirdLogs: Sample[] = [
  ...flightradar24,
  ...flighty,
  ...flightMemory,
  ...appInTheAir,
  ...openFlights,
  ...others,
]
