// Names of cities in German, and of the largest in French, Spanish and Italian, that differ from English. The reference set
// has them among names in fifty languages, without the language; the file for the web app has no room for all of them.
import { searchFold } from '../../domain/text/fold.ts'

export const foreignNames: ReadonlySet<string> = new Set(
  (
    'Kopenhagen München Wien Zürich Genf Rom Mailand Venedig Neapel Florenz Turin Genua Mailand Bozen Brüssel Antwerpen Lüttich Gent Brügge ' +
    'Lissabon Athen Thessaloniki Saloniki Korfu Kreta Rhodos Kos Prag Brünn Pressburg Warschau Krakau Danzig Breslau Posen Stettin Kattowitz ' +
    'Budapest Bukarest Hermannstadt Klausenburg Temeswar Belgrad Agram Laibach Moskau Petersburg Kiew Lemberg Odessa Minsk Wilna Riga Reval ' +
    'Tallinn Helsinki Göteborg Malmö Kairo Alexandria Algier Tunis Tripolis Marrakesch Casablanca Tanger Addis|Abeba Daressalam Sansibar Kapstadt ' +
    'Johannesburg Nairobi Mombasa Tel|Aviv Jerusalem Damaskus Beirut Bagdad Teheran Dschidda Dschiddah Riad Maskat Abu|Dhabi Dubai Doha Kuwait ' +
    'Peking Schanghai Shanghai Hongkong Kanton Taipeh Tokio Osaka Kyoto Seoul Pjöngjang Singapur Bangkok Phuket Saigon Hanoi Rangun Dschakarta ' +
    'Jakarta Bali Kalkutta Bombay Neu-Delhi Delhi Madras Katmandu Kathmandu Colombo Malediven Male Taschkent Almaty Tiflis Eriwan Baku Istanbul ' +
    'Izmir Ankara Antalya Nikosia Larnaka Paphos Malta Mexiko-Stadt Mexiko Havanna Guatemala-Stadt Panama-Stadt Bogota Caracas Lima Quito ' +
    'Rio|de|Janeiro Sao|Paulo Buenos|Aires Santiago|de|Chile Washington Neuyork San|Franzisko Honolulu Montreal Québec Sydney Auckland Teneriffa ' +
    'Gran|Canaria Mallorca Palma|de|Mallorca Ibiza Menorca Fuerteventura Lanzarote Barcelona Sevilla Valencia Saragossa Kordoba Granada Bilbao ' +
    'Straßburg Nizza Marseille Lyon Mülhausen Basel Bern Luxemburg Köln Hannover Nürnberg Düsseldorf Braunschweig Saarbrücken Friedrichshafen ' +
    'Edinburgh Dublin Reykjavik Färöer Spitzbergen Drontheim Bergen Sankt|Petersburg Kasan Jekaterinburg Nowosibirsk Wladiwostok Irkutsk Sotschi ' +
    'Königsberg Ulan-Bator Skopje Pristina Sarajevo Podgorica Dubrovnik Split Zadar Pula Rijeka Triest Palermo Catania Cagliari Olbia Pisa Verona ' +
    'Bologna Bari Brindisi Funchal Madeira Azoren Faro Porto Den|Haag Eindhoven Rotterdam Groningen Maastricht Aarhus Billund Aalborg Windhuk ' +
    'Mauritius Seychellen Kilimandscharo Accra Dakar Khartum Mogadischu Rabat Agadir Fes Scharm|El-Scheich Hurghada Luxor Assuan Akaba Aschgabat ' +
    'Colonia Bâle Basilea Luxemburgo Edimbourg Edimburgo Estrasburgo Strasburgo Siviglia Saragosse Oporto Venise Venecia Venezia Firenze ' +
    'Florencia Nápoles Napoli Torino Gênes Génova Cracovie Cracovia Kraków Praga Praha Bucarest București Belgrado Beograd Reikiavik Túnez ' +
    'Tunisi Marrakech Beyrouth Beirute Damas Damasco Bakou La|Havane La|Habana Melaka Roma Milano Milán Lisboa Lisbonne Warszawa Varsovie ' +
    'Varsovia Moskva Moscou Moscú Atenas Athènes Atene København Copenhague Göteborg Gotemburgo Anvers Amberes Salonique Salónica Sarajewo ' +
    'Le|Caire El|Cairo Alger Argel Tánger Jérusalem Jerusalén Estambul Pékin Pekín Cantón Séoul Seúl Singapour Yakarta Manille Katmandou ' +
    'Bombay Calcuta Nueva|Delhi Mascate Rangún Le|Cap Ciudad|del|Cabo Mexico|Ciudad|de|México Filadelfia Nueva|Orleans'
  )
    .split(' ')
    .map((name) => searchFold(name.replaceAll('|', ' '))),
)

/** Islands and regions that people name instead of a city, by the airport's ICAO code; folded. */
export const islandNames: Readonly<Record<string, readonly string[]>> = {
  LEPA: ['malorca', 'majorca', 'palma'],
  GCTS: ['tenerifa', 'tenerife', 'tenerife south', 'tenerifa sud'],
  GCXO: ['tenerifa nord', 'tenerife north'],
  GCLP: ['gran canaria', 'las palmas', 'las palmas de gran canaria'],
  TJSJ: ['purto rico'],
  GCFV: ['fuerteventura'],
  GCRR: ['lanzarote'],
  LEIB: ['ibiza'],
  LEMH: ['menorca'],
  LGKR: ['korfu', 'corfu'],
  LGIR: ['kreta', 'crete'],
  LGRP: ['rhodos', 'rhodes'],
  LPMA: ['madeira'],
  VRMM: ['malediven', 'maldives'],
  FIMP: ['mauritius'],
  FSIA: ['seychelen', 'seycheles'],
  WADD: ['bali'],
  LMML: ['malta'],
  EKVG: ['faror', 'faroe islands'],
  ENSB: ['spitzbergen', 'svalbard'],
  HTKJ: ['kilimandscharo', 'kilimanjaro'],
}
