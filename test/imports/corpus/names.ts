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
--- 06C 41.99 -88.10 America/Chicago US Chicago/Schaumburg|Schaumburg Regional Airport
--- 44N 41.71 -73.74 America/New_York US Millbrook|Sky Acres Airport
ABI KABI 32.41 -99.68 America/Chicago US Abilene|Abilene Regional Airport
ACK KACK 41.25 -70.06 America/New_York US Nantucket|Nantucket Memorial Airport
ADD HAAB 8.98 38.80 Africa/Addis_Ababa ET Addis Ababa|Addis Ababa Bole International Airport
ADK PADK 51.88 -176.64 America/Adak US Adak|Adak Airport
ADL YPAD -34.95 138.53 Australia/Adelaide AU Adelaide|Adelaide International Airport
AEP SABE -34.56 -58.42 America/Argentina/Buenos_Aires AR Buenos Aires|Aeroparque Jorge Newbery
AGP LEMG 36.67 -4.50 Europe/Madrid ES Málaga|Málaga-Costa del Sol Airport
AJA LFKJ 41.92 8.80 Europe/Paris FR Ajaccio|Ajaccio Napoléon Bonaparte airport
AKL NZAA -37.01 174.79 Pacific/Auckland NZ Auckland|Auckland International Airport
ALC LEAL 38.28 -0.56 Europe/Madrid ES Alicante|Alicante-Elche Miguel Hernández Airport
AMS EHAM 52.31 4.76 Europe/Amsterdam NL Amsterdam|Amsterdam Airport Schiphol
ANC PANC 61.18 -149.99 America/Anchorage US Anchorage|Ted Stevens Anchorage International Airport
ANR EBAW 51.19 4.46 Europe/Brussels BE Antwerp|Antwerp International Airport (Deurne)
AOJ RJSA 40.73 140.69 Asia/Tokyo JP Aomori|Aomori Airport
APW NSFA -13.83 -172.01 Pacific/Apia WS Apia|Faleolo International Airport
ARN ESSA 59.65 17.93 Europe/Stockholm SE Stockholm|Stockholm-Arlanda Airport
ATH LGAV 37.94 23.94 Europe/Athens GR Athens|Athens Eleftherios Venizelos International Airport
ATL KATL 33.64 -84.43 America/New_York US Atlanta|Hartsfield Jackson Atlanta International Airport
AUH OMAA 24.44 54.65 Asia/Dubai AE Abu Dhabi|Zayed International Airport
AUS KAUS 30.20 -97.66 America/Chicago US Austin|Austin Bergstrom International Airport
AYT LTAI 36.90 30.80 Europe/Istanbul TR Antalya|Antalya International Airport
BAH OBBI 26.27 50.64 Asia/Bahrain BH Manama|Bahrain International Airport
BCN LEBL 41.30 2.08 Europe/Madrid ES Barcelona|Josep Tarradellas Barcelona-El Prat Airport
BEG LYBE 44.82 20.31 Europe/Belgrade RS Belgrade|Belgrade Nikola Tesla Airport
BER EDDB 52.36 13.50 Europe/Berlin DE Berlin|Berlin Brandenburg Airport
BFI KBFI 47.53 -122.30 America/Los_Angeles US Seattle|King County International Airport - Boeing Field
BGO ENBR 60.29 5.22 Europe/Oslo NO Bergen|Bergen Airport, Flesland
SFJ BGSF 67.01 -50.72 America/Nuuk GL Kangerlussuaq|Kangerlussuaq International Airport
BGY LIME 45.67 9.71 Europe/Rome IT Milan|Il Caravaggio International Airport
BHX EGBB 52.45 -1.75 Europe/London GB Birmingham|Birmingham Airport
BID KBID 41.17 -71.58 America/New_York US Block Island|Block Island State Airport
KEF BIKF 63.98 -22.61 Atlantic/Reykjavik IS Reykjavík|Keflavik International Airport
BIO LEBB 43.30 -2.91 Europe/Madrid ES Bilbao|Bilbao Airport
BKK VTBS 13.68 100.75 Asia/Bangkok TH Bangkok|Suvarnabhumi Airport
BLL EKBI 55.74 9.16 Europe/Copenhagen DK Billund|Billund Airport
BLR VOBL 13.20 77.71 Asia/Kolkata IN Bengaluru|Kempegowda International Airport Bengaluru
BMA ESSB 59.35 17.94 Europe/Stockholm SE Stockholm|Stockholm-Bromma Airport
BNA KBNA 36.12 -86.68 America/Chicago US Nashville|Nashville International Airport
BNE YBBN -27.38 153.12 Australia/Brisbane AU Brisbane|Brisbane International Airport
BOB NTTB -16.44 -151.75 Pacific/Tahiti PF Motu Mute|Bora Bora Airport
BOG SKBO 4.70 -74.15 America/Bogota CO Bogota|El Dorado International Airport
BOI KBOI 43.56 -116.22 America/Boise US Boise|Boise Air Terminal/Gowen Field
BOM VABB 19.09 72.87 Asia/Kolkata IN Mumbai|Chhatrapati Shivaji Maharaj International Airport
BOO ENBO 67.27 14.37 Europe/Oslo NO Bodø|Bodø Airport
BOS KBOS 42.36 -71.01 America/New_York US Boston|Boston Logan International Airport
BQK KBQK 31.26 -81.47 America/New_York US Brunswick|Brunswick Golden Isles Airport
BRI LIBD 41.14 16.76 Europe/Rome IT Bari|Bari Karol Wojtyła International Airport
BRN LSZB 46.91 7.50 Europe/Zurich CH Bern|Bern Airport
BRU EBBR 50.90 4.48 Europe/Brussels BE Brussels|Brussels Airport
BSB SBBR -15.87 -47.92 America/Sao_Paulo BR Brasília|Presidente Juscelino Kubitschek International Airport
BSL LFSB 47.60 7.52 Europe/Paris FR Basel|EuroAirport Basel–Mulhouse–Freiburg
BTS LZIB 48.17 17.21 Europe/Bratislava SK Bratislava|M. R. Štefánik Airport
BUD LHBP 47.43 19.26 Europe/Budapest HU Budapest|Budapest Liszt Ferenc International Airport
BUR KBUR 34.20 -118.36 America/Los_Angeles US Burbank|Hollywood Burbank/Bob Hope Airport
CAG LIEE 39.25 9.05 Europe/Rome IT Cagliari|Cagliari Elmas Airport
CAI HECA 30.11 31.40 Africa/Cairo EG Cairo|Cairo International Airport
CBR YSCB -35.31 149.20 Australia/Sydney AU Canberra|Canberra Airport
CCS SVMI 10.60 -66.99 America/Caracas VE Caracas|Maiquetía Simón Bolívar International Airport
CCU VECC 22.65 88.45 Asia/Kolkata IN Kolkata|Netaji Subhash Chandra Bose International Airport
CDG LFPG 49.01 2.55 Europe/Paris FR Paris|Charles de Gaulle International Airport
CEB RPVM 10.31 123.98 Asia/Manila PH Cebu City|Mactan Cebu International Airport
CFN EIDL 55.04 -8.34 Europe/Dublin IE Donegal|Donegal Airport
CFU LGKR 39.60 19.91 Europe/Athens GR Corfu|Corfu Ioannis Kapodistrias International Airport
CGH SBSP -23.63 -46.65 America/Sao_Paulo BR São Paulo|Congonhas–Deputado Freitas Nobre Airport
CGN EDDK 50.87 7.14 Europe/Berlin DE Cologne|Cologne Bonn Airport
CHA KCHA 35.04 -85.20 America/New_York US Chattanooga|Chattanooga Metropolitan Airport (Lovell Field)
CHC NZCH -43.49 172.53 Pacific/Auckland NZ Christchurch|Christchurch International Airport
CHQ LGSA 35.53 24.15 Europe/Athens GR Chaniá|Chania International Airport
CIA LIRA 41.80 12.60 Europe/Rome IT Rome|Ciampino–G. B. Pastine International Airport
CLE KCLE 41.41 -81.85 America/New_York US Cleveland|Cleveland Hopkins International Airport
CLT KCLT 35.21 -80.94 America/New_York US Charlotte|Charlotte Douglas International Airport
CMB VCBI 7.18 79.88 Asia/Colombo LK Colombo|Bandaranaike International Colombo Airport
CMH KCMH 40.00 -82.89 America/New_York US Columbus|John Glenn Columbus International Airport
CMN GMMN 33.37 -7.59 Africa/Casablanca MA Casablanca|Mohammed V International Airport
CNF SBCF -19.64 -43.97 America/Sao_Paulo BR Belo Horizonte|Tancredo Neves International Airport
CNS YBCS -16.88 145.75 Australia/Brisbane AU Cairns|Cairns International Airport
COK VOCI 10.15 76.40 Asia/Kolkata IN Kochi|Cochin International Airport
CPH EKCH 55.62 12.66 Europe/Copenhagen DK Copenhagen|Copenhagen Kastrup Airport
CPT FACT -33.97 18.60 Africa/Johannesburg ZA Cape Town|Cape Town International Airport
CRL EBCI 50.46 4.46 Europe/Brussels BE Brussels|Brussels South Charleroi Airport
CTA LICC 37.47 15.07 Europe/Rome IT Catania|Catania-Fontanarossa Airport
CTS RJCC 42.77 141.69 Asia/Tokyo JP Sapporo|New Chitose Airport
CUN MMUN 21.04 -86.87 America/Cancun MX Cancún|Cancún International Airport
CXI PLCH 1.99 -157.35 Pacific/Kiritimati KI Kiritimati|Cassidy International Airport
YVR CYVR 49.19 -123.18 America/Vancouver CA Vancouver|Vancouver International Airport
DAL KDAL 32.84 -96.85 America/Chicago US Dallas|Dallas Love Field
DBV LDDU 42.56 18.27 Europe/Zagreb HR Dubrovnik|Dubrovnik Ruđer Bošković Airport
DCA KDCA 38.85 -77.04 America/New_York US Washington|Ronald Reagan Washington National Airport
DEL VIDP 28.56 77.10 Asia/Kolkata IN New Delhi|Indira Gandhi International Airport
DEN KDEN 39.86 -104.67 America/Denver US Denver|Denver International Airport
DFW KDFW 32.90 -97.04 America/Chicago US Dallas|Dallas Fort Worth International Airport
DMK VTBD 13.91 100.61 Asia/Bangkok TH Bangkok|Don Mueang International Airport
DOH OTHH 25.27 51.61 Asia/Qatar QA Doha|Hamad International Airport
DPS WADD -8.75 115.17 Asia/Makassar ID Denpasar|Denpasar I Gusti Ngurah Rai International Airport
DRS EDDC 51.13 13.77 Europe/Berlin DE Dresden|Dresden Airport
DRW YPDN -12.41 130.88 Australia/Darwin AU Darwin|Darwin International Airport / RAAF Darwin
DTM EDLW 51.52 7.61 Europe/Berlin DE Dortmund|Dortmund Airport
DTW KDTW 42.21 -83.35 America/Detroit US Detroit|Detroit Metropolitan Wayne County Airport
DUB EIDW 53.43 -6.26 Europe/Dublin IE Dublin|Dublin Airport
DUS EDDL 51.29 6.77 Europe/Berlin DE Düsseldorf|Düsseldorf Airport
DUT PADU 53.90 -166.54 America/Nome US Unalaska|Tom Madsen (Dutch Harbor) Airport
DXB OMDB 25.25 55.37 Asia/Dubai AE Dubai|Dubai International Airport
--- E16 37.08 -121.60 America/Los_Angeles US San Martin|San Martin Airport
--- EDAY 52.58 13.92 Europe/Berlin DE Strausberg|Strausberg Airfield
--- EDAZ 52.20 13.16 Europe/Berlin DE Trebbin|Schönhagen Airfield
SXF EDDB 52.38 13.52 Europe/Berlin DE Berlin|Berlin Schonefeld Airport
FRA EDDF 50.03 8.56 Europe/Berlin DE Frankfurt|Frankfurt Main Airport
HAM EDDH 53.63 9.99 Europe/Berlin DE Hamburg|Hamburg Helmut Schmidt Airport
MUC EDDM 48.35 11.79 Europe/Berlin DE Munich|Munich Airport
TXL EDDT 52.56 13.29 Europe/Berlin DE Berlin|Berlin Tegel Airport
--- EDFE 49.96 8.64 Europe/Berlin DE Egelsbach|Frankfurt-Egelsbach Airport
EDI EGPH 55.95 -3.37 Europe/London GB Edinburgh|Edinburgh Airport
--- EDML 48.51 12.03 Europe/Berlin DE Landshut|Landshut Airfield
RBM EDMS 48.90 12.52 Europe/Berlin DE Atting|Straubing Airport
FDH EDNY 47.67 9.51 Europe/Berlin DE Friedrichshafen|Bodensee Airport Friedrichshafen
LHA EDTL 48.37 7.83 Europe/Berlin DE Lahr/Schwarzwald|Lahr Airport
AGE EDWG 53.78 7.92 Europe/Berlin DE Wangerooge|Wangerooge Airport
--- EDXP 53.71 7.82 Europe/Berlin DE Harlesiel|Harlesiel Airfield
TLL EETN 59.41 24.83 Europe/Tallinn EE Tallinn|Lennart Meri Tallinn Airport
HEM EFHF 60.25 25.04 Europe/Helsinki FI Helsinki|Helsinki Malmi Airport
HEL EFHK 60.32 24.96 Europe/Helsinki FI Helsinki|Helsinki Vantaa Airport
TMP EFTP 61.41 23.60 Europe/Helsinki FI Tampere|Tampere-Pirkkala Airport
LHR EGLL 51.47 -0.46 Europe/London GB London|London Heathrow Airport
ABZ EGPD 57.20 -2.20 Europe/London GB Aberdeen|Aberdeen International Airport
FAE EKVG 62.06 -7.28 Atlantic/Faroe FO Vágar|Vágar Airport
ELP KELP 31.81 -106.38 America/Denver US El Paso|El Paso International Airport
OSL ENGM 60.19 11.10 Europe/Oslo NO Oslo|Oslo-Gardermoen International Airport
SVG ENZV 58.88 5.64 Europe/Oslo NO Stavanger|Stavanger Airport, Sola
GOT ESGG 57.66 12.28 Europe/Stockholm SE Gothenburg|Göteborg Landvetter Airport
EVE ENEV 68.49 16.68 Europe/Oslo NO Harstad/Narvik|Harstad/Narvik Airport
RIX EVRA 56.92 23.97 Europe/Riga LV Riga|Riga International Airport
EWR KEWR 40.69 -74.17 America/New_York US Newark|Newark Liberty International Airport
VNO EYVI 54.63 25.29 Europe/Vilnius LT Vilnius|Vilnius International Airport
EZE SAEZ -34.82 -58.54 America/Argentina/Buenos_Aires AR Buenos Aires|Ezeiza International Airport - Ministro Pistarini
FAI PAFA 64.82 -147.86 America/Anchorage US Fairbanks|Fairbanks International Airport
FCO LIRF 41.80 12.25 Europe/Rome IT Rome|Rome–Fiumicino Leonardo da Vinci International Airport
FIH FZAA -4.39 15.44 Africa/Kinshasa CD Kinshasa|Ndjili International Airport
MRU FIMP -20.43 57.68 Indian/Mauritius MU Plaine Magnien|Sir Seewoosagur Ramgoolam International Airport
DZA FMCZ -12.81 45.28 Indian/Mayotte YT Dzaoudzi|Dzaoudzi Pamandzi International Airport
RUN FMEE -20.89 55.52 Indian/Reunion RE Sainte-Marie|Roland Garros Airport
FMO EDDG 52.13 7.69 Europe/Berlin DE Münster|Münster Osnabrück Airport
FRG KFRG 40.73 -73.41 America/New_York US East Farmingdale|Republic Airport
FUK RJFF 33.59 130.45 Asia/Tokyo JP Fukuoka|Fukuoka Airport
GAJ RJSC 38.41 140.37 Asia/Tokyo JP Yamagata|Yamagata Airport
GDL MMGL 20.52 -103.31 America/Mexico_City MX Guadalajara|Guadalajara International Airport
GDN EPGD 54.38 18.47 Europe/Warsaw PL Gdańsk|Gdańsk Lech Wałęsa Airport
GDX UHMM 59.91 150.72 Asia/Magadan RU Magadan|Sokol Airport
GEG KGEG 47.62 -117.53 America/Los_Angeles US Spokane|Spokane International Airport
GIG SBGL -22.81 -43.25 America/Sao_Paulo BR Rio de Janeiro|Rio Galeão – Tom Jobim International Airport
GLA EGPF 55.87 -4.43 Europe/London GB Glasgow|Glasgow Airport
GMP RKSS 37.56 126.79 Asia/Seoul KR Seoul|Gimpo International Airport
GOV YPGV -12.27 136.82 Australia/Darwin AU Nhulunbuy|Gove Airport
GPS SEGS -0.45 -90.27 Pacific/Galapagos EC Isla Baltra|Seymour Galapagos Ecological Airport
GRO LEGE 41.90 2.76 Europe/Madrid ES Girona|Girona-Costa Brava Airport
GRU SBGR -23.43 -46.47 America/Sao_Paulo BR São Paulo|São Paulo/Guarulhos–Governor André Franco Montoro International Airport
GRZ LOWG 46.99 15.44 Europe/Vienna AT Graz|Graz Airport
GUM PGUM 13.48 144.80 Pacific/Guam GU Hagåtña|Antonio B. Won Pat International Airport
GVA LSGG 46.24 6.11 Europe/Zurich CH Geneva|Geneva International Airport
HAF KHAF 37.51 -122.50 America/Los_Angeles US Half Moon Bay|Half Moon Bay Airport
HAU ENHD 59.35 5.21 Europe/Oslo NO Haugesund|Haugesund Airport, Karmøy
HAV MUHA 22.99 -82.41 America/Havana CU Havana|José Martí International Airport
HER LGIR 35.34 25.18 Europe/Athens GR Heraklion|Heraklion International Nikos Kazantzakis Airport
HHN EDFH 49.95 7.26 Europe/Berlin DE Frankfurt|Frankfurt-Hahn Airport
HKD RJCH 41.77 140.82 Asia/Tokyo JP Hakodate|Hakodate Airport
HKG VHHH 22.31 113.91 Asia/Hong_Kong HK Hong Kong|Hong Kong International Airport
NBO HKJK -1.32 36.93 Africa/Nairobi KE Nairobi|Jomo Kenyatta International Airport
HKT VTSP 8.11 98.32 Asia/Bangkok TH Phuket|Phuket International Airport
HND RJTT 35.55 139.79 Asia/Tokyo JP Tokyo|Tokyo Haneda International Airport
HNL PHNL 21.32 -157.93 Pacific/Honolulu US Honolulu|Daniel K. Inouye International Airport
HOU KHOU 29.65 -95.28 America/Chicago US Houston|William P. Hobby Airport
HPN KHPN 41.07 -73.71 America/New_York US White Plains|Westchester County Airport
IAD KIAD 38.94 -77.46 America/New_York US Washington|Washington Dulles International Airport
IAH KIAH 29.98 -95.34 America/Chicago US Houston|George Bush Intercontinental Airport
ICN RKSI 37.47 126.45 Asia/Seoul KR Seoul|Incheon International Airport
IKA OIIE 35.42 51.15 Asia/Tehran IR Tehran|Imam Khomeini International Airport
INN LOWI 47.26 11.34 Europe/Vienna AT Innsbruck|Innsbruck Airport
INV EGPE 57.54 -4.05 Europe/London GB Inverness|Inverness Airport
ISB OPIS 33.55 72.83 Asia/Karachi PK Islamabad|Islamabad International Airport
ISG ROIG 24.40 124.25 Asia/Tokyo JP Ishigaki|New Ishigaki Airport
IST LTFM 41.27 28.73 Europe/Istanbul TR Istanbul|İstanbul Airport
ITM RJOO 34.78 135.44 Asia/Tokyo JP Osaka|Osaka Itami International Airport
IVL EFIV 68.61 27.41 Europe/Helsinki FI Ivalo|Ivalo Airport
IXL VILH 34.14 77.55 Asia/Kolkata IN Leh|Leh Kushok Bakula Rimpochee Airport
JAX KJAX 30.49 -81.69 America/New_York US Jacksonville|Jacksonville International Airport
JFK KJFK 40.64 -73.78 America/New_York US New York|John F. Kennedy International Airport
JMK LGMK 37.44 25.35 Europe/Athens GR Mykonos|Mykonos Island National Airport
JNB FAOR -26.14 28.25 Africa/Johannesburg ZA Johannesburg|O.R. Tambo International Airport
JRO HTKJ -3.43 37.07 Africa/Dar_es_Salaam TZ Arusha|Kilimanjaro International Airport
JTR LGSR 36.40 25.48 Europe/Athens GR Santorini|Santorini International Airport
--- K1Q4 37.68 -121.30 America/Los_Angeles US Tracy|New Jerusalem Airport
KBL OAKB 34.57 69.21 Asia/Kabul AF Kabul|Kabul International Airport
--- KC83 37.83 -121.62 America/Los_Angeles US Byron|Byron Airport
--- KGTU 30.68 -97.68 America/Chicago US Georgetown|Georgetown Executive Airport at Johnny Gantt Field
KIX RJBB 34.43 135.24 Asia/Tokyo JP Osaka|Kansai International Airport
--- KJYO 39.08 -77.56 America/New_York US Leesburg|Leesburg Executive Airport
KKN ENKR 69.73 29.89 Europe/Oslo NO Kirkenes|Kirkenes Airport, Høybuktmoen
KLU LOWK 46.64 14.34 Europe/Vienna AT Klagenfurt am Wörthersee|Klagenfurt Airport
KMQ RJNK 36.39 136.41 Asia/Tokyo JP Kanazawa|Komatsu Airport / JASDF Komatsu Air Base
KNH RCBS 24.43 118.36 Asia/Taipei TW Kinmen|Kinmen Airport
PDX KPDX 45.59 -122.60 America/Los_Angeles US Portland|Portland International Airport
KRK EPKK 50.08 19.78 Europe/Warsaw PL Kraków|Kraków John Paul II International Airport
SEA KSEA 47.45 -122.31 America/Los_Angeles US Seattle|Seattle–Tacoma International Airport
--- KTKI 33.18 -96.59 America/Chicago US Dallas|McKinney National Airport
KTM VNKT 27.70 85.36 Asia/Kathmandu NP Kathmandu|Tribhuvan International Airport
KTW EPKT 50.48 19.08 Europe/Warsaw PL Katowice|Katowice Wojciech Korfanty International Airport
KUL WMKK 2.75 101.71 Asia/Kuala_Lumpur MY Kuala Lumpur|Kuala Lumpur International Airport
LAS KLAS 36.08 -115.15 America/Los_Angeles US Las Vegas|Harry Reid International Airport
LAX KLAX 33.94 -118.41 America/Los_Angeles US Los Angeles|Los Angeles International Airport
LCA LCLK 34.88 33.62 Asia/Nicosia CY Larnaca|Larnaca International Airport
LCY EGLC 51.51 0.06 Europe/London GB London|London City Airport
LDH YLHI -31.54 159.08 Australia/Lord_Howe AU Lord Howe Island|Lord Howe Island Airport
LED ULLI 59.80 30.26 Europe/Moscow RU Saint Petersburg|Pulkovo Airport
LEJ EDDP 51.42 12.23 Europe/Berlin DE Leipzig|Leipzig/Halle Airport
MAD LEMD 40.49 -3.57 Europe/Madrid ES Madrid|Adolfo Suárez Madrid–Barajas Airport
TLS LFBO 43.63 1.36 Europe/Paris FR Toulouse|Toulouse-Blagnac Airport
LYS LFLL 45.73 5.09 Europe/Paris FR Lyon|Lyon Saint-Exupéry Airport
ORY LFPO 48.73 2.36 Europe/Paris FR Paris|Paris-Orly Airport
NTE LFRS 47.15 -1.61 Europe/Paris FR Nantes|Nantes Atlantique Airport
LGA KLGA 40.78 -73.87 America/New_York US New York|LaGuardia Airport
LGW EGKK 51.15 -0.19 Europe/London GB London|London Gatwick Airport
LIH PHLI 21.97 -159.34 Pacific/Honolulu US Lihue|Lihue Airport
LIM SPJC -12.02 -77.11 America/Lima PE Lima|Jorge Chávez International Airport
LIN LIML 45.45 9.28 Europe/Rome IT Milan|Milano Linate Airport
LIS LPPT 38.78 -9.14 Europe/Lisbon PT Lisbon|Lisbon Humberto Delgado Airport
LKL ENNA 70.07 24.97 Europe/Oslo NO Lakselv|Lakselv Airport, Banak
LKN ENLK 68.15 13.61 Europe/Oslo NO Leknes|Leknes Airport
--- LOWZ 47.29 12.79 Europe/Vienna AT Zell am See|Zell am See Airfield
LPA GCLP 27.93 -15.39 Atlantic/Canary ES Gran Canaria|Gran Canaria Airport
LST YMLT -41.54 147.21 Australia/Hobart AU Launceston|Launceston Airport
--- LSZG 47.18 7.42 Europe/Zurich CH Grenchen|Grenchen Airfield
ZRH LSZH 47.46 8.55 Europe/Zurich CH Zurich|Zürich Airport
LTN EGGW 51.87 -0.37 Europe/London GB London|London Luton Airport
LUG LSZA 46.00 8.91 Europe/Zurich CH Lugano|Lugano Airport
RMO LUKK 46.93 28.93 Europe/Chisinau MD Chişinău|Chişinău International Airport
LUX ELLX 49.63 6.21 Europe/Luxembourg LU Luxembourg|Luxembourg-Findel International Airport
LYR ENSB 78.25 15.47 Arctic/Longyearbyen SJ Longyearbyen|Svalbard Airport, Longyear
MAA VOMM 12.99 80.17 Asia/Kolkata IN Chennai|Chennai International Airport
MAN EGCC 53.35 -2.28 Europe/London GB Manchester|Manchester Airport
MAO SBEG -3.04 -60.05 America/Manaus BR Manaus|Eduardo Gomes International Airport
MCO KMCO 28.43 -81.31 America/New_York US Orlando|Orlando International Airport
MDE SKRG 6.16 -75.42 America/Bogota CO Medellín|Jose Maria Córdova International Airport
MDW KMDW 41.79 -87.75 America/Chicago US Chicago|Chicago Midway International Airport
MEL YMML -37.67 144.84 Australia/Melbourne AU Melbourne|Melbourne Airport
MEX MMMX 19.44 -99.07 America/Mexico_City MX Mexico City|Mexico City Benito Juárez International Airport
MIA KMIA 25.80 -80.29 America/New_York US Miami|Miami International Airport
MKE KMKE 42.95 -87.90 America/Chicago US Milwaukee|General Mitchell International Airport
MLA LMML 35.85 14.49 Europe/Malta MT Valletta|Malta International Airport
MLE VRMM 4.19 73.53 Indian/Maldives MV Malé|Velana International Airport
MNL RPLL 14.51 121.02 Asia/Manila PH Manila|Ninoy Aquino International Airport
MRS LFML 43.44 5.21 Europe/Paris FR Marseille|Marseille Provence Airport
MRY KMRY 36.59 -121.84 America/Los_Angeles US Monterey|Monterey Regional Airport
MSP KMSP 44.88 -93.22 America/Chicago US Minneapolis|Minneapolis–Saint Paul International Airport / Wold–Chamberlain Field
MSY KMSY 29.99 -90.26 America/Chicago US New Orleans|Louis Armstrong New Orleans International Airport
MTY MMMY 25.78 -100.11 America/Monterrey MX Monterrey|Monterrey International Airport
MVD SUMU -34.84 -56.03 America/Montevideo UY Montevideo|Carrasco General Cesáreo L. Berisso International Airport
MVY KMVY 41.39 -70.61 America/New_York US Martha's Vineyard|Martha's Vineyard Airport
MXP LIMC 45.63 8.73 Europe/Rome IT Milan|Milan Malpensa International Airport
NAN NFFN -17.76 177.44 Pacific/Fiji FJ Nadi|Nadi International Airport
NAP LIRN 40.89 14.29 Europe/Rome IT Naples|Naples International Airport
NCE LFMN 43.66 7.22 Europe/Paris FR Nice|Nice-Côte d'Azur Airport
NGO RJGG 34.86 136.80 Asia/Tokyo JP Nagoya|Chubu Centrair International Airport
NOU NWWW -22.01 166.21 Pacific/Noumea NC Nouméa|La Tontouta International Airport
NRT RJAA 35.77 140.39 Asia/Tokyo JP Tokyo|Narita International Airport
PPT NTAA -17.55 -149.61 Pacific/Tahiti PF Papeete|Fa'a'ā International Airport
NUE EDDN 49.50 11.08 Europe/Berlin DE Nuremberg|Nuremberg Airport
--- O69 38.26 -122.61 America/Los_Angeles US Petaluma|Petaluma Municipal Airport
OAK KOAK 37.72 -122.22 America/Los_Angeles US Oakland|San Francisco Bay Oakland International Airport
OGG PHOG 20.90 -156.43 Pacific/Honolulu US Kahului|Kahului International Airport
OKA ROAH 26.19 127.64 Asia/Tokyo JP Naha|Naha International Airport
OME PAOM 64.51 -165.45 America/Nome US Nome|Nome Airport
ORD KORD 41.98 -87.90 America/Chicago US Chicago|Chicago O'Hare International Airport
OSR LKMT 49.70 18.11 Europe/Prague CZ Ostrava|Leoš Janáček Airport Ostrava
OTP LROP 44.57 26.10 Europe/Bucharest RO Bucharest|Bucharest Henri Coandă International Airport
OTZ PAOT 66.88 -162.60 America/Nome US Kotzebue|Ralph Wien Memorial Airport
OUL EFOU 64.93 25.35 Europe/Helsinki FI Oulu|Oulu Airport
OVB UNNT 55.02 82.62 Asia/Novosibirsk RU Novosibirsk|Novosibirsk Tolmachevo Airport
BET PABE 60.78 -161.84 America/Anchorage US Bethel|Bethel Airport
PAO KPAO 37.46 -122.11 America/Los_Angeles US Palo Alto|Palo Alto Airport
PBH VQPR 27.40 89.42 Asia/Thimphu BT Paro|Paro International Airport
PEK ZBAA 40.08 116.60 Asia/Shanghai CN Beijing|Beijing Capital International Airport
PER YPPH -31.94 115.97 Australia/Perth AU Perth|Perth International Airport
KOA PHKO 19.74 -156.05 Pacific/Honolulu US Kailua-Kona|Ellison Onizuka Kona International Airport at Keāhole
PHL KPHL 39.87 -75.24 America/New_York US Philadelphia|Philadelphia International Airport
PHX KPHX 33.44 -112.01 America/Phoenix US Phoenix|Phoenix Sky Harbor International Airport
PIT KPIT 40.49 -80.23 America/New_York US Pittsburgh|Pittsburgh International Airport
PKC UHPP 53.17 158.45 Asia/Kamchatka RU Petropavlovsk-Kamchatsky|Yelizovo Airport
PKR VNPK 28.20 83.98 Asia/Kathmandu NP Pokhara|Pokhara Domestic Airport
PMI LEPA 39.55 2.74 Europe/Madrid ES Palma de Mallorca|Palma de Mallorca Airport
PMO LICJ 38.18 13.09 Europe/Rome IT Palermo|Falcone–Borsellino Airport
POA SBPA -29.99 -51.17 America/Sao_Paulo BR Porto Alegre|Porto Alegre-Salgado Filho International Airport
POM AYPY -9.44 147.22 Pacific/Port_Moresby PG Port Moresby|Port Moresby Jacksons International Airport
PQQ YPMQ -31.44 152.86 Australia/Sydney AU Port Macquarie|Port Macquarie Airport
PRG LKPR 50.10 14.26 Europe/Prague CZ Prague|Václav Havel Airport Prague
PRN BKPR 42.57 21.04 Europe/Belgrade XK Prishtina|Priština Adem Jashari International Airport
PTY MPTO 9.07 -79.38 America/Panama PA Panama City|Tocumen International Airport
PUQ SCCI -53.00 -70.85 America/Punta_Arenas CL Punta Arenas|President Carlos Ibáñez International Airport
PVD KPVD 41.73 -71.43 America/New_York US Providence|Rhode Island T. F. Green International Airport
PVG ZSPD 31.14 121.81 Asia/Shanghai CN Shanghai|Shanghai Pudong International Airport
PWK KPWK 42.11 -87.90 America/Chicago US Chicago/Prospect Heights/Wheeling|Chicago Executive Airport
RAR NCRG -21.20 -159.81 Pacific/Rarotonga CK Avarua|Rarotonga International Airport
TPE RCTP 25.08 121.23 Asia/Taipei TW Taipei|Taiwan Taoyuan International Airport
SDJ RJSS 38.14 140.92 Asia/Tokyo JP Sendai|Sendai Airport
RTM EHRD 51.96 4.44 Europe/Amsterdam NL Rotterdam|Rotterdam The Hague Airport
SAL MSLP 13.44 -89.06 America/El_Salvador SV San Salvador|El Salvador International Airport Saint Óscar Arnulfo Romero y Galdámez
SAN KSAN 32.73 -117.19 America/Los_Angeles US San Diego|San Diego International Airport
SAT KSAT 29.53 -98.47 America/Chicago US San Antonio|San Antonio International Airport
RTE SBMT -23.51 -46.64 America/Sao_Paulo BR São Paulo|Campo de Marte Airport
SCL SCEL -33.39 -70.79 America/Santiago CL Santiago|Comodoro Arturo Merino Benítez International Airport
IPC SCIP -27.17 -109.42 Pacific/Easter CL Isla De Pascua|Mataveri International Airport
SCQ LEST 42.90 -8.42 Europe/Madrid ES Santiago de Compostela|Santiago-Rosalía de Castro Airport
SDU SBRJ -22.91 -43.16 America/Sao_Paulo BR Rio de Janeiro|Santos Dumont Airport
SFO KSFO 37.62 -122.37 America/Los_Angeles US San Francisco|San Francisco International Airport
SGF KSGF 37.25 -93.39 America/Chicago US Springfield|Springfield Branson National Airport
SHA ZSSS 31.20 121.33 Asia/Shanghai CN Shanghai|Shanghai Hongqiao International Airport
SIN WSSS 1.35 103.99 Asia/Singapore SG Singapore|Singapore Changi Airport
SKG LGTS 40.52 22.97 Europe/Athens GR Thessaloniki|Thessaloniki Macedonia International Airport
SLC KSLC 40.79 -111.98 America/Denver US Salt Lake City|Salt Lake City International Airport
SMF KSMF 38.70 -121.59 America/Los_Angeles US Sacramento|Sacramento International Airport
SNN EINN 52.70 -8.92 Europe/Dublin IE Shannon|Shannon Airport
SOU EGHI 50.95 -1.36 Europe/London GB Southampton|Southampton Airport
SPU LDSP 43.54 16.30 Europe/Zagreb HR Split|Split Saint Jerome Airport
SQL KSQL 37.51 -122.25 America/Los_Angeles US San Carlos|San Carlos Airport
SSA SBSV -12.91 -38.32 America/Bahia BR Salvador|Deputado Luiz Eduardo Magalhães International Airport
STL KSTL 38.75 -90.37 America/Chicago US St Louis|St. Louis Lambert International Airport
STN EGSS 51.88 0.23 Europe/London GB London|London Stansted Airport
STR EDDS 48.69 9.22 Europe/Berlin DE Stuttgart|Stuttgart Airport
SUV NFNA -18.04 178.56 Pacific/Fiji FJ Suva|Nausori International Airport
SVO UUEE 55.98 37.41 Europe/Moscow RU Moscow|Sheremetyevo International Airport
SVQ LEZL 37.42 -5.89 Europe/Madrid ES Seville|Seville Airport
SYD YSSY -33.95 151.18 Australia/Sydney AU Sydney|Sydney Kingsford Smith International Airport
SYY EGPO 58.22 -6.33 Europe/London GB Stornoway|Stornoway Airport
TAS UZTT 41.26 69.28 Asia/Tashkent UZ Tashkent|Tashkent International Airport
TBU NFTF -21.24 -175.15 Pacific/Tongatapu TO Nuku'alofa|Fua'amotu International Airport
TFN GCXO 28.48 -16.34 Atlantic/Canary ES Tenerife|Tenerife Norte-Ciudad de La Laguna Airport
TFS GCTS 28.04 -16.57 Atlantic/Canary ES Tenerife|Tenerife Sur Airport
THF EDDI 52.47 13.40 Europe/Berlin DE Berlin|Berlin Tempelhof Airport
TIA LATI 41.41 19.72 Europe/Tirane AL Tirana|Tirana International Airport Mother Teresa
TLV LLBG 32.01 34.89 Asia/Jerusalem IL Tel Aviv|Ben Gurion International Airport
TOL KTOL 41.59 -83.81 America/New_York US Toledo|Eugene F. Kranz Toledo Express Airport
TOS ENTC 69.68 18.92 Europe/Oslo NO Tromsø|Tromsø Airport
TRD ENVA 63.46 10.92 Europe/Oslo NO Trondheim|Trondheim Airport, Værnes
TRF ENTO 59.19 10.26 Europe/Oslo NO Sandefjord|Sandefjord Airport, Torp
TRN LIMF 45.20 7.65 Europe/Rome IT Turin|Turin Airport
TSA RCSS 25.07 121.55 Asia/Taipei TW Taipei|Taipei Songshan International Airport
TSR LRTR 45.81 21.34 Europe/Bucharest RO Timişoara|Timișoara Traian Vuia International Airport
TUN DTTA 36.85 10.23 Africa/Tunis TN Tunis|Tunis Carthage International Airport
ALA UAAA 43.35 77.04 Asia/Almaty KZ Almaty|Almaty International Airport
UUS UHSS 46.89 142.72 Asia/Sakhalin RU Yuzhno-Sakhalinsk|Yuzhno-Sakhalinsk International Airport
UIO SEQM -0.13 -78.35 America/Guayaquil EC Quito|Mariscal Sucre International Airport
VCE LIPZ 45.51 12.35 Europe/Rome IT Venice|Venice Marco Polo Airport
VCP SBKP -23.01 -47.13 America/Sao_Paulo BR Campinas|Viracopos International Airport
VDE GCHI 27.81 -17.89 Atlantic/Canary ES El Hierro|El Hierro Airport
VDS ENVD 70.07 29.84 Europe/Oslo NO Vadsø|Vadsø Airport
DAC VGHS 23.84 90.40 Asia/Dhaka BD Dhaka|Hazrat Shahjalal International Airport
VIE LOWW 48.11 16.57 Europe/Vienna AT Vienna|Vienna International Airport
VKO UUWW 55.59 37.26 Europe/Moscow RU Moscow|Vnukovo International Airport
VLC LEVC 39.49 -0.48 Europe/Madrid ES Valencia|Valencia Airport
HYD VOHS 17.23 78.43 Asia/Kolkata IN Hyderabad|Rajiv Gandhi International Airport
WAW EPWA 52.17 20.97 Europe/Warsaw PL Warsaw|Warsaw Chopin Airport
WLG NZWN -41.33 174.81 Pacific/Auckland NZ Wellington|Wellington International Airport
WMI EPMO 52.45 20.65 Europe/Warsaw PL Nowy Dwór Mazowiecki|Warsaw Modlin Airport
WVI KWVI 36.94 -121.79 America/Los_Angeles US Watsonville|Watsonville Municipal Airport
YHZ CYHZ 44.88 -63.51 America/Halifax CA Halifax|Halifax / Stanfield International Airport
YKM KYKM 46.57 -120.54 America/Los_Angeles US Yakima|Yakima Air Terminal McAllister Field
YOW CYOW 45.32 -75.67 America/Toronto CA Ottawa|Ottawa Macdonald-Cartier International Airport
YTZ CYTZ 43.63 -79.40 America/Toronto CA Toronto|Billy Bishop Toronto City Airport
YUL CYUL 45.47 -73.74 America/Toronto CA Montréal|Montreal / Pierre Elliott Trudeau International Airport
YYC CYYC 51.12 -114.01 America/Edmonton CA Calgary|Calgary International Airport
YYZ CYYZ 43.68 -79.63 America/Toronto CA Toronto|Toronto Pearson International Airport
ZAG LDZA 45.74 16.07 Europe/Zagreb HR Zagreb|Zagreb Franjo Tuđman International Airport
CTU ZUUU 30.56 103.95 Asia/Shanghai CN Chengdu|Chengdu Shuangliu International Airport
LOS DNMM 6.58 3.32 Africa/Lagos NG Lagos|Murtala Muhammed International Airport
ABV DNAA 9.01 7.26 Africa/Lagos NG Abuja|Nnamdi Azikiwe International Airport
ACC DGAA 5.61 -0.17 Africa/Accra GH Accra|Kotoka International Airport
DKR GOOY 14.74 -17.49 Africa/Dakar SN Dakar|Léopold Sédar Senghor International Airport
DSS GOBD 14.67 -17.07 Africa/Dakar SN Dakar|Blaise Diagne International Airport
ABJ DIAP 5.26 -3.93 Africa/Abidjan CI Abidjan|Félix Houphouët-Boigny International Airport
EBB HUEN 0.04 32.44 Africa/Kampala UG Kampala|Entebbe International Airport
KGL HRYR -1.97 30.14 Africa/Kigali RW Kigali|Kigali International Airport
DAR HTDA -6.88 39.20 Africa/Dar_es_Salaam TZ Dar es Salaam|Julius Nyerere International Airport
ZNZ HTZA -6.22 39.22 Africa/Dar_es_Salaam TZ Zanzibar|Abeid Amani Karume International Airport
MBA HKMO -4.03 39.59 Africa/Nairobi KE Mombasa|Moi International Airport
LUN FLKK -15.33 28.45 Africa/Lusaka ZM Lusaka|Kenneth Kaunda International Airport
WDH FYWH -22.48 17.47 Africa/Windhoek NA Windhoek|Hosea Kutako International Airport
MPM FQMA -25.92 32.57 Africa/Maputo MZ Maputo|Maputo International Airport
TNR FMMI -18.80 47.48 Indian/Antananarivo MG Antananarivo|Ivato International Airport
SEZ FSIA -4.67 55.52 Indian/Mahe SC Mahe|Seychelles International Airport
PLZ FAPE -33.98 25.62 Africa/Johannesburg ZA Port Elizabeth|Chief Dawid Stuurman International Airport
GRJ FAGG -34.01 22.38 Africa/Johannesburg ZA George|George Airport
DUR FALE -29.61 31.12 Africa/Johannesburg ZA Durban|King Shaka International Airport
LAD FNLU -8.86 13.23 Africa/Luanda AO Luanda|Quatro de Fevereiro International Airport
RAK GMMX 31.61 -8.04 Africa/Casablanca MA Marrakech|Menara Airport
ALG DAAG 36.69 3.22 Africa/Algiers DZ Algiers|Houari Boumediene Airport
HRG HEGN 27.18 33.80 Africa/Cairo EG Hurghada|Hurghada International Airport
GYE SEGU -2.16 -79.88 America/Guayaquil EC Guayaquil|José Joaquín de Olmedo International Airport
LPB SLLP -16.51 -68.19 America/La_Paz BO La Paz|El Alto International Airport
VVI SLVR -17.64 -63.14 America/La_Paz BO Santa Cruz|Viru Viru International Airport
ASU SGAS -25.24 -57.52 America/Asuncion PY Asunción|Silvio Pettirossi International Airport
CUZ SPZO -13.54 -71.94 America/Lima PE Cusco|Alejandro Velasco Astete International Airport
CTG SKCG 10.44 -75.51 America/Bogota CO Cartagena|Rafael Núñez International Airport
CLO SKCL 3.54 -76.38 America/Bogota CO Cali|Alfonso Bonilla Aragón International Airport
BRC SAZS -41.15 -71.16 America/Argentina/Salta AR San Carlos de Bariloche|San Carlos De Bariloche Airport
USH SAWH -54.84 -68.30 America/Argentina/Ushuaia AR Ushuaia|Malvinas Argentinas Airport
COR SACO -31.32 -64.21 America/Argentina/Cordoba AR Córdoba|Ingeniero Ambrosio Taravella Airport
MDZ SAME -32.83 -68.79 America/Argentina/Mendoza AR Mendoza|El Plumerillo Airport
IGR SARI -25.74 -54.47 America/Argentina/Cordoba AR Puerto Iguazú|Cataratas Del Iguazú International Airport
REC SBRF -8.13 -34.92 America/Recife BR Recife|Guararapes Airport
FOR SBFZ -3.78 -38.53 America/Fortaleza BR Fortaleza|Pinto Martins International Airport
CWB SBCT -25.53 -49.17 America/Sao_Paulo BR Curitiba|Afonso Pena Airport
PMC SCTE -41.44 -73.09 America/Santiago CL Puerto Montt|El Tepual Airport
CGK WIII -6.13 106.66 Asia/Jakarta ID Jakarta|Soekarno-Hatta International Airport
SUB WARR -7.38 112.79 Asia/Jakarta ID Surabaya|Juanda International Airport
UPG WAAA -5.06 119.55 Asia/Makassar ID Makassar|Sultan Hasanuddin International Airport
DJJ WAJJ -2.58 140.52 Asia/Jayapura ID Jayapura|Dortheys Hiyo Eluay International Airport
SGN VVTS 10.82 106.65 Asia/Ho_Chi_Minh VN Ho Chi Minh City|Tan Son Nhat International Airport
HAN VVNB 21.22 105.81 Asia/Ho_Chi_Minh VN Hanoi|Noi Bai International Airport
DAD VVDN 16.04 108.20 Asia/Ho_Chi_Minh VN Da Nang|Da Nang International Airport
PNH VDPP 11.55 104.84 Asia/Phnom_Penh KH Phnom Penh|Phnom Penh International Airport
REP VDSR 13.41 103.81 Asia/Phnom_Penh KH Siem Reap|Siem Reap International Airport
VTE VLVT 17.99 102.56 Asia/Vientiane LA Vientiane|Wattay International Airport
RGN VYYY 16.91 96.13 Asia/Yangon MM Yangon|Yangon International Airport
CNX VTCC 18.77 98.96 Asia/Bangkok TH Chiang Mai|Chiang Mai International Airport
USM VTSM 9.55 100.06 Asia/Bangkok TH Ko Samui|Samui Airport
DVO RPMD 7.13 125.65 Asia/Manila PH Davao|Francisco Bangoy International Airport
BKI WBKK 5.94 116.05 Asia/Kuching MY Kota Kinabalu|Kota Kinabalu International Airport
KCH WBGG 1.48 110.35 Asia/Kuching MY Kuching|Kuching International Airport
PEN WMKP 5.30 100.28 Asia/Kuala_Lumpur MY Penang|Penang International Airport
BWN WBSB 4.94 114.93 Asia/Brunei BN Bandar Seri Begawan|Brunei International Airport
VLI NVVV -17.70 168.32 Pacific/Efate VU Port Vila|Bauerfield International Airport
HIR AGGH -9.43 160.05 Pacific/Guadalcanal SB Honiara|Honiara International Airport
TRW NGTA 1.38 173.15 Pacific/Tarawa KI Tarawa|Bonriki International Airport
MAJ PKMJ 7.06 171.27 Pacific/Majuro MH Majuro|Marshall Islands International Airport
INU ANYN -0.55 166.92 Pacific/Nauru NR Yaren|Nauru International Airport
FUN NGFU -8.53 179.20 Pacific/Funafuti TV Funafuti|Funafuti International Airport
ZQN NZQN -45.02 168.74 Pacific/Auckland NZ Queenstown|Queenstown International Airport
KBP UKBB 50.35 30.89 Europe/Kyiv UA Kyiv|Boryspil International Airport
IEV UKKK 50.40 30.45 Europe/Kyiv UA Kyiv|Igor Sikorsky Kyiv International Airport
LWO UKLL 49.81 23.96 Europe/Kyiv UA Lviv|Lviv International Airport
ODS UKOO 46.43 30.68 Europe/Kyiv UA Odesa|Odesa International Airport
TBS UGTB 41.67 44.95 Asia/Tbilisi GE Tbilisi|Tbilisi International Airport
EVN UDYZ 40.15 44.40 Asia/Yerevan AM Yerevan|Zvartnots International Airport
GYD UBBB 40.47 50.05 Asia/Baku AZ Baku|Heydar Aliyev International Airport
MSQ UMMS 53.88 28.03 Europe/Minsk BY Minsk|Minsk National Airport
SOF LBSF 42.70 23.41 Europe/Sofia BG Sofia|Sofia Airport
VAR LBWN 43.23 27.83 Europe/Sofia BG Varna|Varna Airport
SKP LWSK 41.96 21.62 Europe/Skopje MK Skopje|Skopje International Airport
SJJ LQSA 43.82 18.33 Europe/Sarajevo BA Sarajevo|Sarajevo International Airport
TGD LYPG 42.36 19.25 Europe/Podgorica ME Podgorica|Podgorica Airport
LJU LJLJ 46.22 14.46 Europe/Ljubljana SI Ljubljana|Ljubljana Jože Pučnik Airport
DME UUDD 55.41 37.91 Europe/Moscow RU Moscow|Domodedovo International Airport
CLJ LRCL 46.79 23.69 Europe/Bucharest RO Cluj-Napoca|Cluj-Napoca International Airport
OPO LPPR 41.25 -8.68 Europe/Lisbon PT Porto|Francisco de Sá Carneiro Airport
FNC LPMA 32.70 -16.77 Atlantic/Madeira PT Funchal|Madeira Airport
PDL LPPD 37.74 -25.70 Atlantic/Azores PT Ponta Delgada|João Paulo II Airport
TER LPLA 38.76 -27.09 Atlantic/Azores PT Praia da Vitória|Lajes Airport
RAI GVNP 14.92 -23.49 Atlantic/Cape_Verde CV Praia|Nelson Mandela International Airport
SID GVAC 16.74 -22.95 Atlantic/Cape_Verde CV Espargos|Amílcar Cabral International Airport
MCT OOMS 23.59 58.28 Asia/Muscat OM Muscat|Muscat International Airport
SLL OOSA 17.04 54.09 Asia/Muscat OM Salalah|Salalah Airport
KWI OKKK 29.23 47.98 Asia/Kuwait KW Kuwait City|Kuwait International Airport
RUH OERK 24.96 46.70 Asia/Riyadh SA Riyadh|King Khalid International Airport
JED OEJN 21.68 39.16 Asia/Riyadh SA Jeddah|King Abdulaziz International Airport
DMM OEDF 26.47 49.80 Asia/Riyadh SA Dammam|King Fahd International Airport
SHJ OMSJ 25.33 55.52 Asia/Dubai AE Sharjah|Sharjah International Airport
AMM OJAI 31.72 35.99 Asia/Amman JO Amman|Queen Alia International Airport
BEY OLBA 33.82 35.49 Asia/Beirut LB Beirut|Beirut Rafic Hariri International Airport
KHI OPKC 24.91 67.16 Asia/Karachi PK Karachi|Jinnah International Airport
LHE OPLA 31.52 74.40 Asia/Karachi PK Lahore|Allama Iqbal International Airport
GOI VOGO 15.38 73.83 Asia/Kolkata IN Dabolim|Dabolim Airport
SJU TJSJ 18.44 -66.00 America/Puerto_Rico PR San Juan|Luis Muñoz Marín International Airport
KIN MKJP 17.94 -76.79 America/Jamaica JM Kingston|Norman Manley International Airport
POS TTPP 10.60 -61.34 America/Port_of_Spain TT Port of Spain|Piarco International Airport
BGI TBPB 13.07 -59.49 America/Barbados BB Bridgetown|Grantley Adams International Airport
YEG CYEG 53.31 -113.58 America/Edmonton CA Edmonton|Edmonton International Airport
YWG CYWG 49.91 -97.24 America/Winnipeg CA Winnipeg|Winnipeg James Armstrong Richardson International Airport
BRS EGGD 51.38 -2.72 Europe/London GB Bristol|Bristol Airport
JER EGJJ 49.21 -2.20 Europe/Jersey JE Jersey|Jersey Airport
FAO LPFR 37.01 -7.97 Europe/Lisbon PT Faro|Faro Airport
IBZ LEIB 38.87 1.37 Europe/Madrid ES Ibiza|Ibiza Airport
RHO LGRP 36.41 28.09 Europe/Athens GR Rhodes|Rhodes International Airport
TRS LIPQ 45.83 13.47 Europe/Rome IT Trieste|Trieste Airport
PSA LIRP 43.68 10.39 Europe/Rome IT Pisa|Pisa International Airport
SAW LTFJ 40.90 29.31 Europe/Istanbul TR Istanbul|Sabiha Gökçen International Airport
OSL* ENFB 59.90 10.62 Europe/Oslo NO Oslo|Oslo Fornebu Airport
ATH* LGAT 37.89 23.73 Europe/Athens GR Athens|Ellinikon International Airport
IST* LTBA 40.98 28.81 Europe/Istanbul TR Istanbul|Istanbul Ataturk Airport
DOH* OTBD 25.26 51.57 Asia/Qatar QA Doha|Doha International Airport
NGO* RJNA 35.25 136.92 Asia/Tokyo JP Nagoya|Komaki Airport
UIO* SEQU -0.14 -78.49 America/Guayaquil EC Quito|Old Mariscal Sucre International Airport
HKG* VHHX 22.33 114.20 Asia/Hong_Kong HK Hong Kong|Kai Tak Airport
BLR* VOBG 12.95 77.66 Asia/Kolkata IN Bangalore|HAL Airport
HYD* VOHY 17.45 78.46 Asia/Kolkata IN Hyderabad|Begumpet Airport
BKK* VTBD 13.91 100.61 Asia/Bangkok TH Bangkok|Don Mueang International Airport
KUL* WMSA 3.13 101.55 Asia/Kuala_Lumpur MY Kuala Lumpur|Subang Airport
DUR* FADN -29.97 30.95 Africa/Johannesburg ZA Durban|Durban International Airport
`

/** ICAO, IATA (dashes: none), name. */
const airlineLines = `
AAL AA American Airlines
AAR OZ Asiana Airlines
ACA AC Air Canada
ACI SB Aircalin
AEA UX Air Europa
AEE A3 Aegean Airlines
AFG FG Ariana Afghan Airlines
AFL SU Aeroflot
AFR AF Air France
AIC AI Air India
AIQ FD Thai AirAsia
ALK UL SriLankan Airlines
AMC KM Air Malta
AMX AM Aeromexico
ANA NH All Nippon Airways
ANE YW Air Nostrum
ANG PX Air Niugini
ANZ NZ Air New Zealand
APJ MM Peach
ARG AR Aerolineas Argentinas
ASA AS Alaska Airlines
ASL JU Air Serbia
AUA OS Austrian Airlines
AVA AV Avianca
AXM AK AirAsia
AZA AZ Alitalia
AZU AD Azul
BAW BA British Airways
BEE BE Flybe
BEL SN Brussels Airlines
BER AB Air Berlin
BHA U4 Buddha Air
BLF KF Blue1
BMA BD bmi
BRG 8E Bering Air
BTI BT Air Baltic
CAL CI China Airlines
CCA CA Air China
CCM XK Air Corsica
CEB 5J Cebu Pacific
CES MU China Eastern
CFE CJ BA CityFlyer
CFG DE Condor
CHH HU Hainan Airlines
CMP CM Copa Airlines
COA CO Continental Airlines
CPA CX Cathay Pacific
CRL SS Corsair
CSA OK Czech Airlines
CTN OU Croatia Airlines
CUB CU Cubana
DAL DL Delta Air Lines
DLA EN Air Dolomiti
DLH LH Lufthansa
DRK KB Druk Air
DWT F7 Darwin Airline
EIN EI Aer Lingus
EJU EC easyJet Europe
ELY LY El Al
ENY MQ Envoy Air
ETD EY Etihad Airways
ETH ET Ethiopian Airlines
EVA BR EVA Air
EWG EW Eurowings
EXS LS Jet2
EZS DS easyJet Switzerland
EZY U2 easyJet
FDB FZ flydubai
FFT F9 Frontier Airlines
FIN AY Finnair
FJI FJ Fiji Airways
FLI RC Atlantic Airways
GFA GF Gulf Air
GLO G3 Gol
GMI ST Germania
GRL GL Air Greenland
GWI 4U Germanwings
HAL HA Hawaiian Airlines
IBB NT Binter Canarias
IBE IB Iberia
IBS I2 Iberia Express
ICE FI Icelandair
IGO 6E IndiGo
ISS IG Meridiana
ITY AZ ITA Airways
JAI 9W Jet Airways
JAL JL Japan Airlines
JBU B6 JetBlue
JET IV Wind Jet
JKK JK Spanair
JNA LJ Jin Air
JSA 3K Jetstar Asia
JST JQ Jetstar
JTA NU Japan Transocean Air
KAL KE Korean Air
KAP 9K Cape Air
KFR IT Kingfisher Airlines
KLM KL KLM
KMF RQ Kam Air
KQA KQ Kenya Airways
KZR KC Air Astana
LAN LA LAN Airlines
LDM OE Laudamotion
LGL LG Luxair
LNE XL LAN Ecuador
LOG LM Loganair
LOT LO LOT Polish Airlines
MAH MA Malev
MAS MH Malaysia Airlines
MAU MK Air Mauritius
MLD 9U Air Moldova
MSR MS EgyptAir
MXA MX Mexicana
MXD OD Batik Air Malaysia
NAX DY Norwegian
NLY HG NIKI
NWA NW Northwest Airlines
OAL OA Olympic Air
OAW 2L Helvetic Airways
PIA PK Pakistan International Airlines
PLM EB Pullmantur Air
POE PD Porter
PUA PU Pluna
QFA QF Qantas
QTR QR Qatar Airways
QXE QX Horizon Air
RAM AT Royal Air Maroc
REU UU Air Austral
RNA RA Nepal Airlines
RVF 7H Ravn Alaska
RYR FR Ryanair
RYS RR Buzz
SAA SA South African Airways
SAB SN Sabena
SAS SK SAS
SBI S7 S7 Airlines
SCW TF Malmo Aviation
SEH GQ Sky Express
SHU HZ Aurora
SIA SQ Singapore Airlines
SKU H2 Sky Airline
SKW OO SkyWest
SKY BC Skymark
SOL IE Solomon Airlines
SWA WN Southwest Airlines
SWR LX Swiss
SXS XQ SunExpress
TAI TA TACA
TAM JJ TAM
TAP TP TAP Air Portugal
TAR TU Tunisair
TGW TR Scoot
THA TG Thai Airways
THT TN Air Tahiti Nui
THY TK Turkish Airlines
TLM SL Thai Lion Air
TRA HV Transavia
TRS FL AirTran Airways
TWA TW Trans World Airlines
TYR VO Tyrolean Airways
UAE EK Emirates
UAL UA United Airlines
UIA B7 UNI Air
USA US US Airways
UTA UT UTair
UZB HY Uzbekistan Airways
VEX TV Virgin Express
VIR VS Virgin Atlantic
VLG VY Vueling
VLM VG VLM Airlines
VOZ VA Virgin Australia
VRD VX Virgin America
VRG RG Varig
VTA VT Air Tahiti
WIF WF Wideroe
WOW WW WOW air
WZZ W6 Wizz Air
AAA AN Ansett Australia
ABY G9 Air Arabia
ADH AP Air One
AEF YP Aero Lloyd
AEW VV Aerosvit
AHY J2 Azerbaijan Airlines
APK P4 Air Peace
ARA W3 Arik Air
AUI PS Ukraine International Airlines
AVN NF Air Vanuatu
BKP PG Bangkok Airways
BRU B2 Belavia
BTK ID Batik Air
BOV OB Boliviana de Aviación
BWA BW Caribbean Airlines
CAW MN Comair
CTV QG Citilink
DAH AH Air Algerie
DTA DT TAAG Angola Airlines
GIA GA Garuda Indonesia
HVN VN Vietnam Airlines
IAC IC Indian Airlines
IRA IR Iran Air
JZR J9 Jazeera Airways
KAC KU Kuwait Airways
KHV K6 Cambodia Angkor Air
KNE XY flynas
LAM TM LAM Mozambique
LAO QV Lao Airlines
LNI JT Lion Air
LNK 4Z Airlink
LTU LT LTU International
LZB FB Bulgaria Air
MDG MD Air Madagascar
MEA ME Middle East Airlines
MGX YM Montenegro Airlines
MNO JE Mango
NGA WT Nigeria Airways
NMB SW Air Namibia
NOK DD Nok Air
OMA WY Oman Air
OMS OV SalamAir
PAA PA Pan Am
PAL PR Philippine Airlines
PGT PC Pegasus Airlines
RBA BI Royal Brunei Airlines
RJA RJ Royal Jordanian
RKA RK Air Afrique
ROT RO Tarom
RWD WB RwandAir
RZO S4 Azores Airlines
SAT SP SATA Air Açores
SEY HM Air Seychelles
SFR FA Safair
SLK MI SilkAir
SVA SV Saudia
TGZ A9 Georgian Airways
TSC TS Air Transat
TSO UN Transaero Airlines
VJC VJ VietJet Air
WJA WS WestJet
ADR JP Adria Airways
XAX D7 AirAsia X
AWQ QZ Indonesia AirAsia
FFM FY Firefly
PRF PW Precision Air
BCA BR British Caledonian
VKG DK Thomas Cook Airlines Scandinavia
HDA KA Dragonair
`

const typeLines = `
A20N 32N Airbus A320neo
A21N 32Q Airbus A321neo
A306 AB6 Airbus A300-600
A319 319 Airbus A319
A320 320 Airbus A320
A321 321 Airbus A321
A332 332 Airbus A330-200
A333 333 Airbus A330-300
A339 339 Airbus A330-900neo
A343 343 Airbus A340-300
A346 346 Airbus A340-600
A359 359 Airbus A350-900
A388 388 Airbus A380-800
AT45 AT5 ATR 42-500
AT75 AT7 ATR 72-500
AT76 ATR ATR 72-600
B190 BE1 Beechcraft 1900D
B38M 7M8 Boeing 737 MAX 8
B39M 7M9 Boeing 737 MAX 9
B462 142 BAe 146-200
B712 717 Boeing 717
B732 732 Boeing 737-200
B733 733 Boeing 737-300
B734 734 Boeing 737-400
B735 735 Boeing 737-500
B736 736 Boeing 737-600
B737 73G Boeing 737-700
B738 73H Boeing 737-800
B739 739 Boeing 737-900
B742 742 Boeing 747-200
B744 744 Boeing 747-400
B748 74H Boeing 747-8
B752 752 Boeing 757-200
B753 753 Boeing 757-300
B763 763 Boeing 767-300
B764 764 Boeing 767-400
B772 772 Boeing 777-200
B77L 77L Boeing 777-200LR
B77W 77W Boeing 777-300ER
B788 788 Boeing 787-8
B789 789 Boeing 787-9
B78X 781 Boeing 787-10
BCS1 221 Airbus A220-100
BCS3 223 Airbus A220-300
BE36 --- Beechcraft Bonanza 36
BE9L BE9 Beechcraft King Air 90
C152 --- Cessna 152
C172 --- Cessna 172
C182 --- Cessna 182
C402 CNJ Cessna 402
CONC SSC Concorde
CRJ2 CR2 Bombardier CRJ-200
CRJ7 CR7 Bombardier CRJ-700
CRJ9 CR9 Bombardier CRJ-900
D328 D38 Dornier 328
DA40 --- Diamond DA40
DA42 --- Diamond DA42
DC10 D10 McDonnell Douglas DC-10
DH8A DH1 De Havilland Canada Dash 8-100
DH8B DH2 Bombardier Dash 8 Q200
DH8C DH3 De Havilland Canada Dash 8-300
DH8D DH4 De Havilland Canada Dash 8-400
E120 EM2 Embraer 120
E145 ER4 Embraer ERJ-145
E170 E70 Embraer E170
E190 E90 Embraer E190
E195 E95 Embraer E195
E290 290 Embraer E190-E2
F100 100 Fokker 100
F50 F50 Fokker 50
F70 F70 Fokker 70
MD11 M11 McDonnell Douglas MD-11
MD82 M82 McDonnell Douglas MD-82
MD83 M83 McDonnell Douglas MD-83
MD88 M88 McDonnell Douglas MD-88
MD90 M90 McDonnell Douglas MD-90
P28A --- Piper PA-28
PA34 --- Piper Seneca
RJ1H AR1 Avro RJ100
RJ85 AR8 Avro RJ85
SB20 S20 Saab 2000
SF34 SF3 Saab 340
SR22 --- Cirrus SR22
T154 TU5 Tupolev Tu-154
A310 310 Airbus A310
A318 318 Airbus A318
A345 345 Airbus A340-500
A35K 351 Airbus A350-1000
AT43 AT4 ATR 42-300
B722 722 Boeing 727-200
B743 743 Boeing 747-300
B762 762 Boeing 767-200
B773 773 Boeing 777-300
B463 143 BAe 146-300
DHC6 DHT De Havilland Canada DHC-6 Twin Otter
E295 295 Embraer E195-E2
E135 ER3 Embraer ERJ-135
F28 F28 Fokker F28
IL62 IL6 Ilyushin Il-62
IL86 ILW Ilyushin Il-86
L101 L10 Lockheed L-1011 TriStar
MD81 M81 McDonnell Douglas MD-81
MD87 M87 McDonnell Douglas MD-87
SU95 SU9 Sukhoi Superjet 100
T134 TU3 Tupolev Tu-134
B721 721 Boeing 727-100
DC93 D93 McDonnell Douglas DC-9-30
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
  return {
    iata: wordOf(iata).replace('*', ''),
    icao: wordOf(icao),
    lat: Number(lat),
    lon: Number(lon),
    zone,
    country,
    city,
    name,
  }
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
