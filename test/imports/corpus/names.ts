// The airports, airlines and types of the corpus, as the printers write them. A place is found by IATA and by ICAO code.

interface Place {
  iata: string
  icao: string
  lat: number
  lon: number
  zone: string
  country: string
  city: string
  name: string
}

interface Name {
  icao: string
  iata: string
  name: string
}

/** IATA, ICAO (dashes: none), latitude, longitude, zone, country, city|name. A star: the IATA code belongs to another airport today. */
const placeLines = `
ADK PADK 51.88 -176.64 America/Adak US Adak|Adak Airport
ADL YPAD -34.95 138.53 Australia/Adelaide AU Adelaide|Adelaide International Airport
AGP LEMG 36.67 -4.50 Europe/Madrid ES Málaga|Málaga-Costa del Sol Airport
AKL NZAA -37.01 174.79 Pacific/Auckland NZ Auckland|Auckland International Airport
ALC LEAL 38.28 -0.56 Europe/Madrid ES Alicante|Alicante-Elche Miguel Hernández Airport
ANC PANC 61.18 -149.99 America/Anchorage US Anchorage|Ted Stevens Anchorage International Airport
APW NSFA -13.83 -172.01 Pacific/Apia WS Apia|Faleolo International Airport
ATH LGAV 37.94 23.94 Europe/Athens GR Athens|Athens Eleftherios Venizelos International Airport
ATL KATL 33.64 -84.43 America/New_York US Atlanta|Hartsfield Jackson Atlanta International Airport
BAH OBBI 26.27 50.64 Asia/Bahrain BH Manama|Bahrain International Airport
BEG LYBE 44.82 20.31 Europe/Belgrade RS Belgrade|Belgrade Nikola Tesla Airport
BER EDDB 52.36 13.50 Europe/Berlin DE Berlin|Berlin Brandenburg Airport
BGO ENBR 60.29 5.22 Europe/Oslo NO Bergen|Bergen Airport, Flesland
BHX EGBB 52.45 -1.75 Europe/London GB Birmingham|Birmingham Airport
BKK VTBS 13.68 100.75 Asia/Bangkok TH Bangkok|Suvarnabhumi Airport
BLR VOBL 13.20 77.71 Asia/Kolkata IN Bengaluru|Kempegowda International Airport Bengaluru
BOB NTTB -16.44 -151.75 Pacific/Tahiti PF Motu Mute|Bora Bora Airport
BOM VABB 19.09 72.87 Asia/Kolkata IN Mumbai|Chhatrapati Shivaji Maharaj International Airport
BOS KBOS 42.36 -71.01 America/New_York US Boston|Boston Logan International Airport
BQK KBQK 31.26 -81.47 America/New_York US Brunswick|Brunswick Golden Isles Airport
BRU EBBR 50.90 4.48 Europe/Brussels BE Brussels|Brussels Airport
BSL LFSB 47.60 7.52 Europe/Paris FR Basel|EuroAirport Basel–Mulhouse–Freiburg
BUD LHBP 47.43 19.26 Europe/Budapest HU Budapest|Budapest Liszt Ferenc International Airport
BUR KBUR 34.20 -118.36 America/Los_Angeles US Burbank|Hollywood Burbank/Bob Hope Airport
CBR YSCB -35.31 149.20 Australia/Sydney AU Canberra|Canberra Airport
CFN EIDL 55.04 -8.34 Europe/Dublin IE Donegal|Donegal Airport
CFU LGKR 39.60 19.91 Europe/Athens GR Corfu|Corfu Ioannis Kapodistrias International Airport
CGN EDDK 50.87 7.14 Europe/Berlin DE Cologne|Cologne Bonn Airport
CLT KCLT 35.21 -80.94 America/New_York US Charlotte|Charlotte Douglas International Airport
CMB VCBI 7.18 79.88 Asia/Colombo LK Colombo|Bandaranaike International Colombo Airport
CPH EKCH 55.62 12.66 Europe/Copenhagen DK Copenhagen|Copenhagen Kastrup Airport
CTS RJCC 42.77 141.69 Asia/Tokyo JP Sapporo|New Chitose Airport
DEL VIDP 28.56 77.10 Asia/Kolkata IN New Delhi|Indira Gandhi International Airport
DEN KDEN 39.86 -104.67 America/Denver US Denver|Denver International Airport
DOH OTHH 25.27 51.61 Asia/Qatar QA Doha|Hamad International Airport
DRW YPDN -12.41 130.88 Australia/Darwin AU Darwin|Darwin International Airport / RAAF Darwin
DTW KDTW 42.21 -83.35 America/Detroit US Detroit|Detroit Metropolitan Wayne County Airport
DUB EIDW 53.43 -6.26 Europe/Dublin IE Dublin|Dublin Airport
DUS EDDL 51.29 6.77 Europe/Berlin DE Düsseldorf|Düsseldorf Airport
DUT PADU 53.90 -166.54 America/Nome US Unalaska|Tom Madsen (Dutch Harbor) Airport
DXB OMDB 25.25 55.37 Asia/Dubai AE Dubai|Dubai International Airport
EDI EGPH 55.95 -3.37 Europe/London GB Edinburgh|Edinburgh Airport
EWR KEWR 40.69 -74.17 America/New_York US Newark|Newark Liberty International Airport
FRA EDDF 50.03 8.56 Europe/Berlin DE Frankfurt|Frankfurt Main Airport
FUK RJFF 33.59 130.45 Asia/Tokyo JP Fukuoka|Fukuoka Airport
GOT ESGG 57.66 12.28 Europe/Stockholm SE Gothenburg|Göteborg Landvetter Airport
HAU ENHD 59.35 5.21 Europe/Oslo NO Haugesund|Haugesund Airport, Karmøy
HEL EFHK 60.32 24.96 Europe/Helsinki FI Helsinki|Helsinki Vantaa Airport
HER LGIR 35.34 25.18 Europe/Athens GR Heraklion|Heraklion International Nikos Kazantzakis Airport
HKD RJCH 41.77 140.82 Asia/Tokyo JP Hakodate|Hakodate Airport
HND RJTT 35.55 139.79 Asia/Tokyo JP Tokyo|Tokyo Haneda International Airport
HNL PHNL 21.32 -157.93 Pacific/Honolulu US Honolulu|Daniel K. Inouye International Airport
IAH KIAH 29.98 -95.34 America/Chicago US Houston|George Bush Intercontinental Airport
ICN RKSI 37.47 126.45 Asia/Seoul KR Seoul|Incheon International Airport
ISB OPIS 33.55 72.83 Asia/Karachi PK Islamabad|Islamabad International Airport
IST LTFM 41.27 28.73 Europe/Istanbul TR Istanbul|İstanbul Airport
ITM RJOO 34.78 135.44 Asia/Tokyo JP Osaka|Osaka Itami International Airport
IXL VILH 34.14 77.55 Asia/Kolkata IN Leh|Leh Kushok Bakula Rimpochee Airport
JFK KJFK 40.64 -73.78 America/New_York US New York|John F. Kennedy International Airport
JMK LGMK 37.44 25.35 Europe/Athens GR Mykonos|Mykonos Island National Airport
JTR LGSR 36.40 25.48 Europe/Athens GR Santorini|Santorini International Airport
KIX RJBB 34.43 135.24 Asia/Tokyo JP Osaka|Kansai International Airport
KLU LOWK 46.64 14.34 Europe/Vienna AT Klagenfurt am Wörthersee|Klagenfurt Airport
KTM VNKT 27.70 85.36 Asia/Kathmandu NP Kathmandu|Tribhuvan International Airport
KUL WMKK 2.75 101.71 Asia/Kuala_Lumpur MY Kuala Lumpur|Kuala Lumpur International Airport
LAS KLAS 36.08 -115.15 America/Los_Angeles US Las Vegas|Harry Reid International Airport
LAX KLAX 33.94 -118.41 America/Los_Angeles US Los Angeles|Los Angeles International Airport
LCA LCLK 34.88 33.62 Asia/Nicosia CY Larnaca|Larnaca International Airport
LDH YLHI -31.54 159.08 Australia/Lord_Howe AU Lord Howe Island|Lord Howe Island Airport
LGW EGKK 51.15 -0.19 Europe/London GB London|London Gatwick Airport
LHR EGLL 51.47 -0.46 Europe/London GB London|London Heathrow Airport
LIH PHLI 21.97 -159.34 Pacific/Honolulu US Lihue|Lihue Airport
LKL ENNA 70.07 24.97 Europe/Oslo NO Lakselv|Lakselv Airport, Banak
LPA GCLP 27.93 -15.39 Atlantic/Canary ES Gran Canaria|Gran Canaria Airport
LYR ENSB 78.25 15.47 Arctic/Longyearbyen SJ Longyearbyen|Svalbard Airport, Longyear
MEL YMML -37.67 144.84 Australia/Melbourne AU Melbourne|Melbourne Airport
MIA KMIA 25.80 -80.29 America/New_York US Miami|Miami International Airport
MLA LMML 35.85 14.49 Europe/Malta MT Valletta|Malta International Airport
MSP KMSP 44.88 -93.22 America/Chicago US Minneapolis|Minneapolis–Saint Paul International Airport / Wold–Chamberlain Field
MUC EDDM 48.35 11.79 Europe/Berlin DE Munich|Munich Airport
NAN NFFN -17.76 177.44 Pacific/Fiji FJ Nadi|Nadi International Airport
NCE LFMN 43.66 7.22 Europe/Paris FR Nice|Nice-Côte d'Azur Airport
NGO RJGG 34.86 136.80 Asia/Tokyo JP Nagoya|Chubu Centrair International Airport
NRT RJAA 35.77 140.39 Asia/Tokyo JP Tokyo|Narita International Airport
OGG PHOG 20.90 -156.43 Pacific/Honolulu US Kahului|Kahului International Airport
OKA ROAH 26.19 127.64 Asia/Tokyo JP Naha|Naha International Airport
OME PAOM 64.51 -165.45 America/Nome US Nome|Nome Airport
ORD KORD 41.98 -87.90 America/Chicago US Chicago|Chicago O'Hare International Airport
OSL ENGM 60.19 11.10 Europe/Oslo NO Oslo|Oslo-Gardermoen International Airport
OTZ PAOT 66.88 -162.60 America/Nome US Kotzebue|Ralph Wien Memorial Airport
PBH VQPR 27.40 89.42 Asia/Thimphu BT Paro|Paro International Airport
PEK ZBAA 40.08 116.60 Asia/Shanghai CN Beijing|Beijing Capital International Airport
PER YPPH -31.94 115.97 Australia/Perth AU Perth|Perth International Airport
PHL KPHL 39.87 -75.24 America/New_York US Philadelphia|Philadelphia International Airport
PHX KPHX 33.44 -112.01 America/Phoenix US Phoenix|Phoenix Sky Harbor International Airport
PIT KPIT 40.49 -80.23 America/New_York US Pittsburgh|Pittsburgh International Airport
PKR VNPK 28.20 83.98 Asia/Kathmandu NP Pokhara|Pokhara Domestic Airport
PMI LEPA 39.55 2.74 Europe/Madrid ES Palma de Mallorca|Palma de Mallorca Airport
PPT NTAA -17.55 -149.61 Pacific/Tahiti PF Papeete|Fa'a'ā International Airport
PQQ YPMQ -31.44 152.86 Australia/Sydney AU Port Macquarie|Port Macquarie Airport
PRG LKPR 50.10 14.26 Europe/Prague CZ Prague|Václav Havel Airport Prague
RAR NCRG -21.20 -159.81 Pacific/Rarotonga CK Avarua|Rarotonga International Airport
SAN KSAN 32.73 -117.19 America/Los_Angeles US San Diego|San Diego International Airport
SEA KSEA 47.45 -122.31 America/Los_Angeles US Seattle|Seattle–Tacoma International Airport
SFO KSFO 37.62 -122.37 America/Los_Angeles US San Francisco|San Francisco International Airport
SIN WSSS 1.35 103.99 Asia/Singapore SG Singapore|Singapore Changi Airport
SKG LGTS 40.52 22.97 Europe/Athens GR Thessaloniki|Thessaloniki Macedonia International Airport
SMF KSMF 38.70 -121.59 America/Los_Angeles US Sacramento|Sacramento International Airport
SNN EINN 52.70 -8.92 Europe/Dublin IE Shannon|Shannon Airport
SVO UUEE 55.98 37.41 Europe/Moscow RU Moscow|Sheremetyevo International Airport
SXF EDDB 52.38 13.52 Europe/Berlin DE Berlin|Berlin Schonefeld Airport
SYD YSSY -33.95 151.18 Australia/Sydney AU Sydney|Sydney Kingsford Smith International Airport
TFS GCTS 28.04 -16.57 Atlantic/Canary ES Tenerife|Tenerife Sur Airport
THF EDDI 52.47 13.40 Europe/Berlin DE Berlin|Berlin Tempelhof Airport
TIA LATI 41.41 19.72 Europe/Tirane AL Tirana|Tirana International Airport Mother Teresa
TLV LLBG 32.01 34.89 Asia/Jerusalem IL Tel Aviv|Ben Gurion International Airport
TOL KTOL 41.59 -83.81 America/New_York US Toledo|Eugene F. Kranz Toledo Express Airport
TOS ENTC 69.68 18.92 Europe/Oslo NO Tromsø|Tromsø Airport
TPE RCTP 25.08 121.23 Asia/Taipei TW Taipei|Taiwan Taoyuan International Airport
TRD ENVA 63.46 10.92 Europe/Oslo NO Trondheim|Trondheim Airport, Værnes
TRF ENTO 59.19 10.26 Europe/Oslo NO Sandefjord|Sandefjord Airport, Torp
TXL EDDT 52.56 13.29 Europe/Berlin DE Berlin|Berlin Tegel Airport
VIE LOWW 48.11 16.57 Europe/Vienna AT Vienna|Vienna International Airport
YHZ CYHZ 44.88 -63.51 America/Halifax CA Halifax|Halifax / Stanfield International Airport
YKM KYKM 46.57 -120.54 America/Los_Angeles US Yakima|Yakima Air Terminal McAllister Field
YOW CYOW 45.32 -75.67 America/Toronto CA Ottawa|Ottawa Macdonald-Cartier International Airport
YTZ CYTZ 43.63 -79.40 America/Toronto CA Toronto|Billy Bishop Toronto City Airport
YUL CYUL 45.47 -73.74 America/Toronto CA Montréal|Montreal / Pierre Elliott Trudeau International Airport
YVR CYVR 49.19 -123.18 America/Vancouver CA Vancouver|Vancouver International Airport
YYC CYYC 51.12 -114.01 America/Edmonton CA Calgary|Calgary International Airport
YYZ CYYZ 43.68 -79.63 America/Toronto CA Toronto|Toronto Pearson International Airport
OSL* ENFB 59.90 10.62 Europe/Oslo NO Oslo|Oslo Fornebu Airport
IST* LTBA 40.98 28.81 Europe/Istanbul TR Istanbul|Istanbul Ataturk Airport
BLR* VOBG 12.95 77.66 Asia/Kolkata IN Bangalore|HAL Airport
HYD* VOHY 17.45 78.46 Asia/Kolkata IN Hyderabad|Begumpet Airport
BKK* VTBD 13.91 100.61 Asia/Bangkok TH Bangkok|Don Mueang International Airport
`

/** ICAO, IATA (dashes: none), name. */
const airlineLines = `
AAL AA American Airlines
ACA AC Air Canada
AEE A3 Aegean Airlines
AFL SU Aeroflot
AIC AI Air India
ALK UL SriLankan Airlines
AMC KM Air Malta
ANA NH All Nippon Airways
ANZ NZ Air New Zealand
APJ MM Peach
ASA AS Alaska Airlines
ASL JU Air Serbia
AUA OS Austrian Airlines
BAW BA British Airways
BER AB Air Berlin
BHA U4 Buddha Air
BRG 8E Bering Air
CAL CI China Airlines
CCA CA Air China
CFG DE Condor
COA CO Continental Airlines
CSA OK Czech Airlines
DAL DL Delta Air Lines
DLH LH Lufthansa
DRK KB Druk Air
EIN EI Aer Lingus
EWG EW Eurowings
EZS DS easyJet Switzerland
FDB FZ flydubai
FIN AY Finnair
FJI FJ Fiji Airways
GFA GF Gulf Air
GWI 4U Germanwings
HAL HA Hawaiian Airlines
JAI 9W Jet Airways
JAL JL Japan Airlines
JNA LJ Jin Air
JST JQ Jetstar
JTA NU Japan Transocean Air
LDM OE Laudamotion
MAH MA Malev
MXD OD Batik Air Malaysia
NAX DY Norwegian
NLY HG NIKI
NWA NW Northwest Airlines
OAL OA Olympic Air
PIA PK Pakistan International Airlines
POE PD Porter
QFA QF Qantas
QTR QR Qatar Airways
QXE QX Horizon Air
RNA RA Nepal Airlines
RYR FR Ryanair
SAS SK SAS
SEH GQ Sky Express
SIA SQ Singapore Airlines
SKW OO SkyWest
SKY BC Skymark
SWA WN Southwest Airlines
THA TG Thai Airways
THT TN Air Tahiti Nui
THY TK Turkish Airlines
UAL UA United Airlines
USA US US Airways
VOZ VA Virgin Australia
VTA VT Air Tahiti
WIF WF Wideroe
`

const typeLines = `
A20N 32N Airbus A320neo
A21N 32Q Airbus A321neo
A319 319 Airbus A319
A320 320 Airbus A320
A321 321 Airbus A321
A332 332 Airbus A330-200
A333 333 Airbus A330-300
A359 359 Airbus A350-900
AT45 AT5 ATR 42-500
AT75 AT7 ATR 72-500
AT76 ATR ATR 72-600
B190 BE1 Beechcraft 1900D
B38M 7M8 Boeing 737 MAX 8
B712 717 Boeing 717
B733 733 Boeing 737-300
B736 736 Boeing 737-600
B737 73G Boeing 737-700
B738 73H Boeing 737-800
B739 739 Boeing 737-900
B744 744 Boeing 747-400
B753 753 Boeing 757-300
B763 763 Boeing 767-300
B764 764 Boeing 767-400
B772 772 Boeing 777-200
B77W 77W Boeing 777-300ER
B789 789 Boeing 787-9
B78X 781 Boeing 787-10
BCS3 223 Airbus A220-300
CONC SSC Concorde
CRJ2 CR2 Bombardier CRJ-200
D328 D38 Dornier 328
DH8A DH1 De Havilland Canada Dash 8-100
DH8C DH3 De Havilland Canada Dash 8-300
DH8D DH4 De Havilland Canada Dash 8-400
E145 ER4 Embraer ERJ-145
E195 E95 Embraer E195
E75L E75 Embraer E175
MD82 M82 McDonnell Douglas MD-82
MD83 M83 McDonnell Douglas MD-83
SB20 S20 Saab 2000
T154 TU5 Tupolev Tu-154
`

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

function wordOf(text = ''): string {
  return text.startsWith('--') ? '' : text
}

function placeFrom(line: string): Place {
  const [iata, icao, lat, lon, zone = '', country = '', ...rest] = line.split(' ')
  const [city = '', name = ''] = rest.join(' ').split('|')
  return { iata: wordOf(iata).replace('*', ''), icao: wordOf(icao), lat: Number(lat), lon: Number(lon), zone, country, city, name }
}

function nameFrom(line: string): [string, Name] {
  const [icao = '', iata, ...name] = line.split(' ')
  return [icao, { icao, iata: wordOf(iata), name: name.join(' ') }]
}

export const places = new Map<string, Place>()
for (const line of linesOf(placeLines)) {
  const place = placeFrom(line)
  if (place.iata !== '' && !line.slice(0, 4).endsWith('*')) places.set(place.iata, place)
  if (place.icao !== '') places.set(place.icao, place)
}

export const airlines = new Map(linesOf(airlineLines).map(nameFrom))
export const types = new Map(linesOf(typeLines).map(nameFrom))
