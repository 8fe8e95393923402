// How to get the file of each source, in two or three sentences.
import { translated } from '../../../domain/translated.ts'

export const howTo = await translated(
  {
    foreflight:
      'Sign in at plan.foreflight.com, open Logbook, then Export, and download the logbook as a CSV file. Drop it here as it is, with both tables; we ask once whether its times are Zulu or local.',
    fr24: 'Sign in at my.flightradar24.com, open Settings and choose Export, then CSV. The file is called flightdiary_ and a date; drop it here as it is.',
    flighty:
      'In Flighty, open your profile, then Settings, Account Data, Export Your Flights. Send the file FlightyExport to this device and drop it here.',
    aita: 'App in the Air closed in October 2024. If you requested your data before, the e-mail with your export contains a file data.txt: drop it here. The file can no longer be requested.',
    byair:
      'In byAir, open your profile, then Help, and choose Export data. The file arrives by e-mail; drop it here.',
    jetlog:
      'In jetlog, open Settings and choose Export to CSV. Drop the file here; it contains the flights of your account, not those of other users.',
    jetlovers:
      'Sign in at JetLovers, open My flights and choose CSV Export. The file has no times; everything else is imported.',
    openflights:
      'Sign in at openflights.org, open Settings and choose Backup to CSV. Drop the file here as it is: if it was opened and saved in a spreadsheet, dates may have changed.',
    milesandmore:
      'Sign in at miles-and-more.com, then open https://api.travelid.lufthansa.com/flightstats/v3/me/segmentList?departureDateRange=10000%20months&size=10000&page=0 in the same browser. Save the page that appears as a .json file and drop it here.',
    myflightbook:
      'Sign in at myflightbook.com, open Logbook, then Download, and download the logbook as a CSV file. Simulator sessions are recognised and left out.',
    logten:
      'In LogTen on a Mac, choose File, then Export, and export your flights as tab-separated text. We ask once whether its times are UTC or local.',
    flightmemory:
      'FlightMemory has no export. Sign in, open “FlightData”, save the page with Ctrl+S (on a Mac ⌘S) as HTML, and go on to the next page: each shows 50 flights. Drop the saved pages here one by one, or all of them in one zip.',
    tripit:
      'TripIt has no download button for all trips. A program that exports your account saves them as JSON or XML; drop that file here, or a zip of many. Without one, use the calendar of a trip or your calendar feed.',
    'tripit-ics':
      'In TripIt, open Settings, then Calendar Feed, turn on individual plans, and open the feed’s address in your browser to save tripit.ics. The feed has future trips and those of the last 90 days. For an older trip, open it and choose to export it to a calendar.',
    google:
      'At takeout.google.com choose only “Purchases & Reservations”, as JSON, and export once. Drop the zip here as it is. Only reservations that name both airports and the time of departure become flights.',
    track:
      'Choose a track that a receiver, a logger or a website recorded: GPX, KML, KMZ, IGC, a trace of readsb or tar1090, or the CSV of a flight from Flightradar24. The airports are found by where the track begins and ends. If the flight is already in your log, you can add the track to it.',
    contrail:
      'In Contrail, open Settings, then Import and export, and choose JSON or YAML: they contain everything. A CSV export works too, but has no tracks or trips.',
    airtrail:
      'In AirTrail, open Settings, then Export, and choose JSON. The file contains flights, passengers, tracks and custom fields. If you administered the instance, you can restore the flights of all its users.',
    'airtrail-csv':
      'In AirTrail, open Settings, then Export, and choose CSV. If you can, choose JSON instead: the CSV has names instead of codes, and neither tracks nor other passengers.',
    drafts:
      'For programs and assistants that read a document themselves: they send the flights they found as JSON, {"source": "drafts", "drafts": […]}, and codes or names are resolved here.',
    email:
      'Open the confirmation of your airline, choose to save or download the message, and drop the .eml or .msg file here; a whole mailbox as .mbox works too. The bookings that an e-mail contains for programs become flights, and so do attached calendars, passes and tickets. You are asked about flights that only the text names.',
    ics: 'In your calendar app, export the calendar as an .ics file and drop it here, or drop the .ics file that came with a booking. Events that name a flight number and two airports become flights; all others are left out.',
    pkpass:
      'Share a boarding pass from Apple Wallet, or take the .pkpass file that the airline sent you, and drop it here. You can also drop several passes in a .pkpasses or .zip file. For Google Wallet, paste the link “Add to Google Wallet” from the airline’s e-mail. The signature of a pass is not verified.',
    pdf: 'Drop the PDF boarding pass that the airline sent you. The bar codes in it become flights; its text alone does not. If the bar code cannot be read from the document, send a screenshot of it.',
    bcbp: 'Drop a photo or a screenshot of a boarding pass. Or scan the bar code of a boarding pass with any scanner app and paste its text here, or save it as a .txt file: one bar code per line. The text itself is not kept.',
    'generic-csv':
      'Any table saved as CSV or text works, whatever its columns are called. It needs a date, an origin and a destination for each flight; you can see and correct what each column contains before anything is imported.',
    'generic-xlsx':
      'Any Excel workbook works; every sheet with a table of flights is read. It needs a date, an origin and a destination for each flight. Save old .xls files as .xlsx first.',
    'generic-json':
      'A JSON list of flights works, whatever its keys are called: they are read like the headings of a table. Each flight needs a date, an origin and a destination.',
  },
  import.meta.url,
)
