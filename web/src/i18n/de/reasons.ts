import type { reasons as english } from '../en/reasons.ts'
import type { Translation } from '../messages.ts'

const unavailable =
  'Der Server erreicht seine Daten gerade nicht. Es wurde nichts geändert. Versuche es gleich noch einmal.'
const damaged =
  'Die Daten des Servers sind beschädigt oder fehlen. Sag der Person Bescheid, die den Server betreibt.'

export const reasons: Translation<typeof english> = {
  // One value of a form; shown beside its field
  'error.required': 'Das ist ein Pflichtfeld.',
  'error.invalid_value': 'Dieser Wert ist ungültig.',
  'error.wrong_form': 'Das hat nicht die richtige Form.',
  'error.not_a_text': 'Das muss ein Text sein.',
  'error.not_a_number': 'Gib eine Zahl ein.',
  'error.not_an_integer': 'Gib eine ganze Zahl ein.',
  'error.not_a_boolean': 'Wähle ja oder nein.',
  'error.not_a_list': 'Das muss eine Liste sein.',
  'error.not_an_object': 'Dieser Wert ist ungültig.',
  'error.not_an_option': 'Wähle eine dieser Möglichkeiten: {options}.',
  'error.not_options': 'Wähle nur aus: {options}.',
  'error.not_an_id': 'Das steht nicht zur Auswahl. Wähle etwas anderes.',
  'error.not_a_date': 'Das ist kein Datum.',
  'error.not_a_period': 'Das ist kein Tag, Monat oder Jahr.',
  'error.not_a_moment': 'Das ist weder eine Zeit noch ein Token.',
  'error.change_or_since': 'Gib entweder eine Änderung oder eine Zeit an.',
  'error.not_a_date_time': 'Das ist kein Datum mit Uhrzeit.',
  'error.no_such_day': 'Diesen Tag gibt es nicht.',
  'error.no_such_month': 'Diesen Monat gibt es nicht.',
  'error.not_storable': 'Das enthält Zeichen, die nicht gespeichert werden können. Entferne sie.',
  'error.pattern_mismatch': 'Das entspricht nicht dem Muster dieses Felds.',
  'error.too_short': { one: 'Mindestens {count} Zeichen.', other: 'Mindestens {count} Zeichen.' },
  'error.too_long': { one: 'Höchstens {count} Zeichen.', other: 'Höchstens {count} Zeichen.' },
  'error.wrong_length': { one: 'Genau {count} Zeichen.', other: 'Genau {count} Zeichen.' },
  'error.too_few': {
    one: 'Mindestens {count} Eintrag ist nötig.',
    other: 'Mindestens {count} Einträge sind nötig.',
  },
  'error.too_many': {
    one: 'Höchstens {count} Eintrag ist möglich.',
    other: 'Höchstens {count} Einträge sind möglich.',
  },
  'error.too_small': 'Muss mindestens {min} sein.',
  'error.too_large': 'Darf höchstens {max} sein.',
  'error.not_above': 'Muss größer als {limit} sein.',
  'error.not_below': 'Muss kleiner als {limit} sein.',
  'error.unknown_field': 'Ein Feld „{field}“ gibt es nicht.',

  // General
  'error.bad_request':
    'Der Server hat die Anfrage nicht verstanden. Lade die Seite neu und versuche es noch einmal.',
  'error.invalid_json':
    'Der Server hat die Anfrage nicht verstanden. Lade die Seite neu und versuche es noch einmal.',
  'error.unauthorized': 'Bitte melde dich an.',
  'error.forbidden': 'Deine Rolle erlaubt das nicht.',
  'error.credential_only_reads': 'Dieser Zugang darf nur lesen. Nutze einen, der auch schreiben darf.',
  'error.insufficient_scope': 'Dafür ist die Berechtigung {scope} nötig.',
  'error.not_found': 'Unter dieser Adresse gibt es nichts.',
  'error.method_not_allowed': '{method} ist hier nicht möglich.',
  'error.payload_too_large': 'Das ist zu groß, um gesendet zu werden. Möglich sind {max} Bytes.',
  'error.validation_failed': 'Bitte prüfe die markierten Felder.',
  'error.internal_error': 'Auf dem Server ist ein Fehler aufgetreten. Er wurde protokolliert.',

  // Things that do not exist, or that the reader may not see
  'error.flight_not_found': 'Diesen Flug gibt es nicht mehr.',
  'error.flight_in_bin': 'Der Flug ist im Papierkorb und lässt sich wiederherstellen.',
  'error.others_on_flight':
    'Auf diesem Flug sind noch andere. Er bleibt in „Zuletzt gelöscht“, bis seine 30 Tage um sind.',
  'error.flight_not_deleted': 'Dieser Flug ist nicht gelöscht.',
  'error.share_not_found': 'Diese geteilte Seite gibt es nicht mehr.',
  'error.feed_not_found': 'Diesen Feed gibt es nicht mehr.',
  'error.trip_not_found': 'Diesen Trip gibt es nicht mehr.',
  'error.role_not_found': 'Diese Rolle gibt es nicht mehr.',
  'error.user_not_found': 'Diese Person gibt es nicht mehr.',
  'error.airport_not_found': 'Diesen Flughafen gibt es nicht mehr.',
  'error.airline_not_found': 'Diese Airline gibt es nicht mehr.',
  'error.aircraft_not_found': 'Diesen Flugzeugtyp gibt es nicht mehr.',
  'error.custom_field_not_found': 'Dieses eigene Feld gibt es nicht mehr.',
  'error.api_key_not_found': 'Diesen API-Schlüssel gibt es nicht mehr.',
  'error.passkey_not_found': 'Diesen Passkey gibt es nicht mehr.',
  'error.identity_not_found': 'Dieses Konto beim Anbieter ist nicht mehr verknüpft.',
  'error.provider_not_found': 'Diese Installation hat keinen Anmeldedienst.',
  'error.session_not_found': 'Diese Sitzung ist bereits beendet.',
  'error.connected_app_not_found': 'Diese App ist nicht mehr verbunden.',
  'error.change_not_found': 'Diese Änderung ist nicht mehr bekannt. Änderungen werden 30 Tage aufbewahrt.',
  'error.notice_not_found': 'Diese Mitteilung gibt es nicht mehr.',
  'error.file_not_found': 'Diese Datei gibt es nicht mehr.',
  'error.just_deleted':
    'Etwas, worauf sich das bezieht, wurde gerade gelöscht. Lade die Seite neu und versuche es noch einmal.',
  'error.version_changed':
    'Dieser Flug wurde inzwischen geändert. Lade ihn neu und wiederhole deine Änderung.',
  'error.already_exists': 'Diesen Flug gibt es schon.',
  'error.precondition_required': 'Dieser Server verlangt die gelesene Version (If-Match).',

  // Addresses and their parameters
  'error.id_not_positive': 'Diese Adresse ist falsch.',
  'error.invalid_scope': 'Diese Auswahl von Flügen ist ungültig.',
  'error.invalid_pagination': 'Die Zahl der Einträge je Seite muss 1 bis 100 sein.',
  'error.invalid_cursor': 'Diese Liste hat sich geändert. Lade sie neu.',
  'error.invalid_token': 'Deine Kopie des Logbuchs gehört zu einer anderen Ansicht. Lade sie neu.',
  'error.resync_required': 'Deine Kopie des Logbuchs ist zu alt. Lade sie neu.',
  'error.too_many_waiting': 'Höchstens {max} Anfragen können gleichzeitig auf Änderungen warten.',
  'error.invalid_format': 'Dieses Dateiformat gibt es nicht.',
  'error.limit_out_of_range': 'Die Zahl der Einträge muss 1 bis 100 sein.',
  'error.top_out_of_range': 'Die Zahl der Gruppen muss 1 bis 500 sein.',
  'error.top_without_group_by': 'Die Zahl der Gruppen kann nur für Gruppen angegeben werden.',
  'error.same_person_twice': 'Beide sind {name}. Wähle eine andere Person.',
  'error.query_required': 'Gib einen Suchtext ein.',
  'error.flight_number_form': 'Gib eine Flugnummer mit dem Code der Airline ein, etwa SK909.',
  'error.query_or_codes': 'Gib entweder eine Suche oder eine Liste von Codes an, nicht beides.',
  'error.query_too_long': 'Der Suchtext ist zu lang.',
  'error.local_time_form': 'Das ist keine Ortszeit.',
  'error.user_id_required': 'Wähle eine Person.',
  'error.user_id_without_user_scope': 'Eine Person kann nur für die Flüge einer Person genannt werden.',
  'error.user_id_unknown': 'Diese Person gibt es nicht.',
  'error.invalid_parameter': 'Der Parameter {parameter} dieser Adresse ist ungültig.',
  'error.unknown_parameter': 'Diese Adresse hat unbekannte Parameter: {names}.',
  'error.parameter_not_storable': 'Der Parameter {parameter} enthält Zeichen, die kein Text sind.',
  'error.parameter_matches_nothing': 'Nichts passt zu „{value}“ ({parameter}).',
  'error.parameter_nearly_matches': 'Nichts passt zu „{value}“ ({parameter}). Gemeint ist vielleicht {near}.',
  'error.parameter_repeated': 'Der Parameter {parameter} darf nur einmal vorkommen.',

  // Requests
  'error.json_expected': 'Die Anfrage muss als JSON gesendet werden.',
  'error.body_required': 'Die Anfrage ist leer.',
  'error.body_too_deep': 'Die Anfrage ist zu tief verschachtelt: Höchstens {max} Ebenen sind möglich.',
  'error.body_too_many_values': 'Die Anfrage ist zu groß: Höchstens {max} Werte sind möglich.',
  'error.body_too_many_members': 'Die Anfrage ist zu groß: Höchstens {max} benannte Werte sind möglich.',
  'error.form_expected': 'Die Anfrage muss als Formular gesendet werden.',
  'error.multipart_unreadable': 'Das Formular kann nicht gelesen werden.',
  'error.headers_too_large': 'Die Kopfzeilen der Anfrage sind zu groß.',
  'error.request_too_slow': 'Die Anfrage kam zu langsam an. Versuche es noch einmal.',
  'error.not_http': 'Das ist keine HTTP-Anfrage.',
  'error.cross_origin':
    'Der Server erwartet Anfragen von {origin}. Öffne Contrail unter dieser Adresse oder berichtige die Einstellung ORIGIN.',
  'error.host_mismatch': 'Diese Adresse passt nicht zur Einstellung ORIGIN des Servers.',
  'error.origin_malformed': 'Die Kopfzeile Origin ist fehlerhaft.',
  'error.web_app_only': 'Das gibt es nur in der Web-App.',
  'error.metrics_token_required': 'Das Token für die Metriken fehlt.',
  'error.too_many_attempts': 'Zu viele Versuche. Versuche es in {seconds} wieder.',
  'error.too_many_calls': 'Zu viele Aufrufe. Versuche es in {seconds} wieder.',
  'error.too_many_at_once': 'Zu viele Anfragen auf einmal. Versuche es in {seconds} wieder.',
  'error.too_many_uploads':
    'Du sendest zu viele Dateien gleichzeitig. Warte auf eine davon und versuche es in {seconds} wieder.',
  'error.too_many_pictures': 'Gerade werden zu viele Bilder gelesen. Versuche es in {seconds} wieder.',

  // Storage that is unavailable
  'error.server_starting': 'Der Server startet gerade. Versuche es gleich noch einmal.',
  'error.server_busy':
    'Der Server hat gerade zu viel zu tun. Es wurde nichts geändert. Versuche es gleich noch einmal.',
  'error.server_stopping':
    'Der Server wird gerade beendet. Es wurde nichts geändert. Versuche es gleich noch einmal.',
  'error.database_unreachable': unavailable,
  'error.database_overloaded': unavailable,
  'error.uploads_unreachable': unavailable,
  'error.database_too_slow': unavailable,
  'error.database_locked': unavailable,
  'error.database_unreadable': unavailable,
  'error.files_unreadable': unavailable,
  'error.database_damaged': damaged,
  'error.database_file_gone': damaged,
  'error.disk_full':
    'Der Speicher des Servers ist voll, deshalb kann nichts gespeichert werden. Sag der Person Bescheid, die den Server betreibt.',
  'error.data_read_only':
    'Die Daten des Servers sind schreibgeschützt, deshalb kann nichts gespeichert werden. Sag der Person Bescheid, die den Server betreibt.',
  'error.outcome_unknown':
    'Die Verbindung brach beim Speichern ab. Lade die Seite neu und prüfe, ob gespeichert wurde, bevor du noch einmal speicherst.',

  // Accounts
  'error.wrong_credentials': 'Benutzername oder Passwort ist falsch.',
  'error.passwords_off': 'Hier meldet sich nur der Eigentümer mit einem Passwort an.',
  'error.second_factor_required': 'Gib den Code deines zweiten Faktors ein.',
  'error.second_factor_wrong': 'Der Code ist falsch oder wurde schon benutzt.',
  'error.second_factor_expired':
    'Die Zeit für den Code ist abgelaufen. Melde dich noch einmal mit deinem Passwort an.',
  'error.second_factor_unreadable':
    'Dieser Server hat das Geheimnis deiner Authenticator-App verloren. Verwende einen Wiederherstellungscode, oder bitte die Verwaltung um einen Link zum Zurücksetzen.',
  'error.second_factor_on': 'Der zweite Faktor ist eingeschaltet. Schalte ihn zuerst aus.',
  'error.second_factor_off': 'Der zweite Faktor ist nicht eingeschaltet.',
  'error.second_factor_not_started': 'Beginne zuerst mit der Einrichtung des zweiten Faktors.',
  'error.second_factor_needs_password':
    'Ein zweiter Faktor wird nach einem Passwort verlangt, und dein Konto hat keines.',
  'error.code_or_recovery_code': 'Gib entweder einen Code oder einen Wiederherstellungscode an.',
  'error.confirmation_required': 'Bitte bestätige, dass du es bist.',
  'error.password_unchanged': 'Wähle ein Passwort, das sich vom jetzigen unterscheidet.',
  'error.last_way_in': 'Das ist der einzige Zugang zu diesem Konto. Füge zuerst einen weiteren hinzu.',
  'error.passkeys_unavailable':
    'Passkeys funktionieren nur über https mit einem Hostnamen oder auf localhost.',
  'error.passkey_refused':
    'Dieser Passkey wurde nicht angenommen. Falls du ihn hier entfernt hast, entferne ihn auch auf deinem Gerät.',
  'error.passkey_expired': 'Das hat zu lange gedauert. Bitte versuche es noch einmal.',
  'error.passkey_of_another': 'Dieser Passkey gehört zu einem anderen Konto.',
  'error.passkey_taken': 'Dieser Passkey ist bereits eingetragen.',
  'error.too_many_passkeys': 'Du hast bereits {max} Passkeys. Entferne zuerst einen davon.',
  'error.identity_taken':
    'Dieses Konto beim Anbieter ist hier mit einem anderen Konto verknüpft. Löse die Verknüpfung zuerst dort.',
  'error.current_password_wrong': 'Das ist nicht dein aktuelles Passwort.',
  'error.new_password_required': 'Lege ein neues Passwort fest, um API-Schlüssel oder Apps zu widerrufen.',
  'error.username_form': 'Verwende nur Buchstaben, Ziffern, Punkte, Unterstriche und Bindestriche.',
  'error.username_taken': 'Dieser Benutzername ist vergeben. Wähle einen anderen.',
  'error.name_has_invisible': 'Entferne unsichtbare Zeichen und solche, die die Leserichtung ändern.',
  'error.name_has_no_visible': 'Verwende mindestens ein sichtbares Zeichen.',
  'error.already_set_up': 'Dieses Contrail ist bereits eingerichtet.',
  'error.setup_token_wrong': 'Das Einrichtungs-Token ist falsch. Du findest es im Protokoll des Servers.',
  'error.link_invalid':
    'Dieser Link wurde schon benutzt, ist abgelaufen oder widerrufen. Bitte um einen neuen.',
  'error.mail_off': 'Dieser Server sendet keine Mails.',
  'error.email_form': 'Gib eine E-Mail-Adresse ein, etwa ada@example.org.',
  'error.own_password_in_settings': 'Dein eigenes Passwort änderst du in deinem Profil.',
  'error.backup_not_found': 'Diese Sicherung gibt es nicht mehr.',
  'error.backups_off': 'Sicherungen sind auf diesem Server ausgeschaltet.',
  'error.backup_running': 'Es läuft bereits eine Sicherung.',
  'error.invitation_not_found': 'Diese Einladung ist nicht mehr offen.',
  'error.reset_link_not_found': 'Für diese Person ist kein Link offen.',
  'error.account_deleted': 'Dieses Konto wurde gelöscht.',
  'error.owner_cannot_be_deleted': 'Das Konto des Eigentümers kann nicht gelöscht werden.',
  'error.own_account_in_settings': 'Dein eigenes Konto löschst du in deinem Profil.',
  'error.too_many_feeds': 'Du hast bereits {max} Feeds. Lösche zuerst einen davon.',
  'error.feed_shows_nothing':
    'Wähle vergangene oder kommende Flüge. Ein verzögerter Feed zeigt nie kommende.',
  'error.feed_kind_fixed': 'Die Art eines Feeds lässt sich nicht ändern. Erstelle einen neuen Feed.',
  'error.webhook_not_found': 'Diesen Webhook gibt es nicht mehr.',
  'error.delivery_not_found': 'Diese Zustellung gibt es nicht mehr.',
  'error.webhooks_off': 'Webhooks sind auf diesem Server ausgeschaltet.',
  'error.webhook_stopped': 'Dieser Webhook sendet gerade nicht. Speichere ihn erneut, um ihn einzuschalten.',
  'error.webhook_url_form': 'Gib eine https-Adresse ohne Benutzernamen, Passwort und Fragment an.',
  'error.webhook_url_private':
    'Diese Adresse liegt nicht im öffentlichen Internet. Ob Webhooks dorthin gesendet werden dürfen, entscheidet der Betreiber des Servers.',
  'error.too_many_webhooks': 'Du hast bereits {max} Webhooks. Lösche zuerst einen davon.',
  'error.too_many_webhooks_here':
    'Auf diesem Server gibt es bereits {max} Webhooks. Mehr sind nicht möglich.',
  'error.mailbox_not_found': 'Dieses Postfach gibt es nicht mehr.',
  'error.subscription_not_found': 'Diesen Kalender gibt es hier nicht mehr.',
  'error.mail_address_not_found': 'Du hast keine Adresse für weitergeleitete E-Mails.',
  'error.mailboxes_off': 'Das Lesen von Postfächern ist auf diesem Server ausgeschaltet.',
  'error.subscriptions_off': 'Das Lesen von Kalendern ist auf diesem Server ausgeschaltet.',
  'error.mail_in_off': 'Dieser Server empfängt keine E-Mails.',
  'error.intake_busy': 'Es wird gerade gelesen. Versuche es gleich noch einmal.',
  'error.too_many_mailboxes': 'Du hast bereits {max} Postfächer. Entferne zuerst eines davon.',
  'error.too_many_subscriptions': 'Du hast bereits {max} Kalender. Entferne zuerst einen davon.',
  'error.already_subscribed': 'Diesen Kalender hast du schon.',
  'error.calendar_url_form': 'Gib eine https- oder webcal-Adresse ohne Benutzernamen und Passwort an.',
  'error.mail_host_form': 'Gib den Namen eines Servers an, etwa imap.example.org, ohne Protokoll und Port.',
  'error.mail_encryption_required':
    'Wähle TLS oder STARTTLS. Unverschlüsselt werden nur Mailserver auf diesem Rechner oder unter einer erlaubten privaten Adresse gelesen.',
  'error.mail_sender_form': 'Gib E-Mail-Adressen an, etwa ada@example.org.',
  'error.intake_address_refused':
    'Diese Adresse liegt nicht im öffentlichen Internet. Wer den Server betreibt, entscheidet, ob sie gelesen werden darf.',
  'error.intake_name_not_found': 'Es gibt keinen Server mit diesem Namen. Prüfe die Schreibweise.',
  'error.intake_no_connection': 'Unter dieser Adresse und diesem Port antwortet kein Server. Prüfe beides.',
  'error.intake_certificate_invalid':
    'Das Zertifikat des Servers ist abgelaufen, gilt für einen anderen Namen oder stammt von keiner bekannten Stelle. Gib den Namen an, für den es ausgestellt ist.',
  'error.intake_timeout':
    'Der Server hat nicht rechtzeitig geantwortet. Prüfe Server und Port oder versuche es später noch einmal.',
  'error.intake_connection_broken':
    'Der Server hat die Verbindung beendet. Prüfe den Port oder versuche es später noch einmal.',
  'error.intake_encryption_missing':
    'Der Server bietet hier keine Verschlüsselung an. Versuche einen anderen Port.',
  'error.intake_login_refused':
    'Der Server hat den Benutzernamen oder das Passwort abgelehnt. Viele Anbieter verlangen ein eigenes App-Passwort.',
  'error.intake_folder_not_found':
    'Dieses Postfach hat keinen solchen Ordner. Gib den ganzen Namen an, etwa INBOX oder Reisen/Flüge.',
  'error.intake_not_a_mail_server': 'Das ist kein IMAP-Server. Der Port ist meist 993.',
  'error.intake_http_status':
    'Der Server hat mit dem Status {status} geantwortet. Kopiere die Adresse des Kalenders noch einmal.',
  'error.intake_redirect_refused': 'Diese Adresse führt zu einer anderen. Gib die andere an.',
  'error.intake_not_a_calendar':
    'Unter dieser Adresse ist kein Kalender. Gib die Adresse der ICS-Datei an, nicht die der Seite.',
  'error.intake_too_large': 'Die Datei ist größer als {max} Byte. Nimm einen Kalender nur mit deinen Reisen.',
  'error.too_many_keys': 'Du hast bereits {max} API-Schlüssel. Lösche zuerst einen davon.',
  'error.scope_not_permitted': 'Deine Rolle erlaubt {scope} nicht.',

  // Roles and other people
  'error.owner_only': 'Nur der Eigentümer kann sein Konto ändern.',
  'error.not_manageable': 'Du kannst nur Personen verwalten, die weniger Rechte haben als du.',
  'error.role_exceeds_yours': 'Diese Rolle enthält Rechte, die du nicht hast.',
  'error.permission_not_given':
    'Ein API-Schlüssel oder eine App kann einer Rolle {permission} nicht geben. Tu es in der Web-App.',
  'error.no_such_role': 'Diese Rolle gibt es nicht mehr. Wähle eine andere.',
  'error.role_name_taken': 'Eine Rolle mit diesem Namen gibt es bereits. Wähle einen anderen Namen.',
  'error.role_is_default':
    'Neue Personen bekommen diese Rolle. Lege zuerst eine andere Rolle als Standard fest.',
  'error.role_in_use': 'Diese Rolle ist Personen zugewiesen. Gib ihnen zuerst eine andere.',

  // Shared pages
  'error.slug_form': 'Verwende nur Buchstaben, Ziffern, Unterstriche und Bindestriche.',
  'error.slug_taken': 'Eine andere Seite hat diese Adresse. Wähle eine andere.',
  'error.share_of_two': 'Ein Link zeigt entweder einen Flug oder einen Trip.',
  'error.share_subject_fixed': 'Wovon ein Link handelt, lässt sich nicht ändern. Erstelle einen neuen Link.',
  'error.too_many_trips': 'Du hast bereits {max} Trips. Lösche zuerst einen davon.',
  'error.too_many_in_trip': 'Ein Trip hat höchstens {max} Flüge.',
  'error.flights_or_changes': 'Gib entweder alle Flüge an oder was dazukommt und wegfällt.',
  'error.last_day_before_first': 'Der letzte Tag darf nicht vor dem ersten liegen.',

  // Custom fields
  'error.key_form': 'Verwende nur Kleinbuchstaben, Ziffern und Unterstriche.',
  'error.key_reserved': 'Dieser Name kann kein Schlüssel sein. Wähle einen anderen.',
  'error.key_taken': 'Ein anderes Feld hat diesen Schlüssel. Wähle einen anderen.',
  'error.cannot_be_changed': 'Das kann nicht geändert werden, weil gespeicherte Werte davon abhängen.',
  'error.options_not_for_type': 'Nur Auswahlfelder haben Optionen.',
  'error.options_required': 'Gib mindestens eine Option ein.',
  'error.option_repeated': 'Gib jede Option nur einmal ein.',
  'error.rule_not_for_type': 'Diese Regel gilt nicht für Felder dieser Art.',
  'error.maximum_below_minimum': 'Der Höchstwert darf nicht kleiner sein als der Mindestwert.',
  'error.pattern_malformed': 'Das ist kein gültiger regulärer Ausdruck.',
  'error.pattern_too_slow':
    'Dieses Muster kann zu lange dauern. Wiederhole keine Gruppe, die Wiederholungen oder Alternativen enthält, und verwende keine Rückverweise.',
  'error.custom_field_invalid': 'Bitte prüfe das Feld „{label}“.',
  'error.custom_field_inactive': 'Das Feld „{label}“ ist inaktiv und nimmt keine neuen Werte an.',
  'error.unknown_custom_field': 'Ein eigenes Feld „{field}“ gibt es nicht.',

  // Airports, airlines and aircraft types
  'error.record_not_custom':
    'Dieser Eintrag gehört zu Contrail und kann nicht geändert oder gelöscht werden.',
  'error.airport_code_taken': 'Einen Flughafen mit dem Code {code} gibt es bereits.',
  'error.unknown_time_zone': 'Diese Zeitzone gibt es nicht.',
  'error.unknown_country': 'Dieses Land gibt es nicht.',
  'error.airport_icao_form':
    'Verwende 2 bis 8 Buchstaben, Ziffern oder Bindestriche; beginne mit einem Buchstaben oder einer Ziffer.',
  'error.airport_iata_form': 'Verwende drei Buchstaben oder Ziffern.',
  'error.airline_icao_form': 'Verwende drei Buchstaben oder Ziffern.',
  'error.airline_iata_form': 'Verwende zwei Buchstaben oder Ziffern.',
  'error.aircraft_icao_form': 'Verwende zwei bis vier Buchstaben oder Ziffern.',
  'error.country_form': 'Verwende die zwei Buchstaben eines Ländercodes.',
  'error.icon_not_an_image': 'Wähle ein Bild als PNG, JPEG, WebP oder SVG.',
  'error.icon_not_drawable': 'Dieses SVG lässt sich nicht zeichnen. Speichere es als PNG und lade das hoch.',

  // Flights
  'error.arrival_before_departure': '„{field}“ muss nach „{earlier}“ liegen.',
  'error.landing_before_takeoff': '„{field}“ muss nach „{earlier}“ liegen.',
  'error.no_such_departure_airport': 'Diesen Flughafen gibt es nicht mehr. Wähle einen anderen.',
  'error.no_such_arrival_airport': 'Diesen Flughafen gibt es nicht mehr. Wähle einen anderen.',
  'error.no_such_aircraft': 'Diesen Flugzeugtyp gibt es nicht mehr. Wähle einen anderen.',
  'error.no_such_airline': 'Diese Airline gibt es nicht mehr. Wähle eine andere.',
  'error.no_such_planned_airport': 'Diesen Flughafen gibt es nicht mehr. Wähle einen anderen.',
  'error.no_such_operating_airline': 'Diese Airline gibt es nicht mehr. Wähle eine andere.',
  'error.no_such_home_airport': 'Diesen Flughafen gibt es nicht mehr. Wähle einen anderen.',
  'error.planned_only_diverted': 'Nur ein umgeleiteter Flug hat ein geplantes Ziel.',
  'error.not_an_amount': 'Gib einen Betrag ein, zum Beispiel 129.90.',
  'error.not_a_currency': 'Wähle eine Währung.',
  'error.no_such_user': 'Diese Person gibt es nicht mehr. Wähle eine andere.',
  'error.passenger_user_or_guest': 'Gib den Namen einer Person oder eines Gasts ein.',
  'error.passenger_repeated': 'Diese Person ist bereits an Bord.',
  'error.person_already_aboard': '„{text}“ ist bereits an Bord.',
  'error.person_is_you': '„{text}“ bist du selbst. Du bist ohnehin an Bord.',
  'error.nobody_left': 'Es wäre niemand mehr an Bord. Lösche stattdessen den Flug.',
  'error.passenger_not_on_flight':
    'Diese Person gehört nicht zu diesem Flug. Lade die Seite neu und versuche es noch einmal.',
  'error.passenger_matched_twice': 'Zwei Einträge meinen dieselbe Person. Entferne einen davon.',
  'error.must_keep_first':
    '{names}: Der Flug muss erst behalten werden. Bis dahin muss jemand an Bord bleiben, der ihn eingetragen oder behalten hat.',
  'error.must_keep_before_alone':
    'Diese Person muss den Flug erst behalten, bevor sie allein darauf bleiben kann.',
  'error.not_a_coordinate':
    'Ein Punkt braucht Länge und Breite und kann eine Höhe haben. Die Länge muss zwischen -180 und 180 liegen, die Breite zwischen -90 und 90.',
  'error.track_lists_differ': 'Die Listen der Aufzeichnung sind verschieden lang.',
  'error.log_too_large':
    'Dieses Logbuch ist zu groß, um auf einmal angezeigt zu werden. Lade stattdessen den Export herunter.',
  'error.demo_already_loaded': 'Das Beispiel-Logbuch ist bereits geladen.',

  // Flights by codes and local times; the form sends none of these
  'error.spoken_time_form': 'Gib die Uhrzeit als HH:MM ein.',
  'error.spoken_date_form':
    'Gib das Datum als JJJJ-MM-TT ein, oder als JJJJ-MM, wenn nur der Monat bekannt ist.',
  'error.named_twice': 'Verwende entweder {now} oder {field}, den früheren Namen.',
  'error.name_or_user_id': 'Verwende entweder name oder userId.',
  'error.date_missing': 'Gib ein Datum ein.',
  'error.departure_on_other_date': 'Der Abflug ist am {departure}, nicht am {date}.',
  'error.arrival_date_missing': 'Gib auch den Abflug an oder das Datum der Ankunft.',
  'error.text_names_no_day': 'Im Text steht kein Tag. Ergänze ihn, etwa „20. Feb.“ oder „gestern“.',
  'error.text_names_several_flights':
    'Im Text steht ein dritter Flughafen („{text}“). Trage jeden Flug in einer eigenen Zeile ein, etwa CPH–FRA und FRA–LHR, und setze eine Bemerkung hinter „Notiz:“.',
  'error.text_names_diversion':
    'Im Text steht eine Umleitung („{text}“). Gib an, wo der Flug gelandet ist und wo er landen sollte, oder setze sie hinter „Notiz:“.',
  'error.text_names_no_route': 'Im Text stehen nicht beide Flughäfen. Ergänze sie, etwa „CPH JFK“.',
  'error.text_names_similar': 'Kein Flughafen heißt „{text}“. Vielleicht meinst du {candidates}.',
  'error.time_without_day': 'Gib auch den Tag an. Mit Monat oder Jahr allein sagt eine Uhrzeit nichts.',
  'error.airports_missing': 'Wähle beide Flughäfen.',
  'error.route_unknown':
    'Es gibt keinen früheren Flug {flightNumber}, von dem die Strecke übernommen werden kann. Wähle beide Flughäfen.',
  'error.route_not_found':
    'Dein Logbuch hat keinen früheren Flug {flightNumber}, und er ließ sich nicht nachschlagen. Gib beide Flughäfen an.',
  'error.no_airport_matches': 'Kein Flughafen passt zu „{text}“.',
  'error.no_airline_matches': 'Keine Airline passt zu „{text}“.',
  'error.no_aircraft_matches': 'Kein Flugzeugtyp passt zu „{text}“.',
  'error.ambiguous': '„{text}“ kann {candidates} bedeuten. Gib den Code ein.',
  'error.person_ambiguous': '„{text}“ kann {candidates} bedeuten. Schreibe den Namen so wie hier.',
  'error.person_nearly_matches': 'Niemand, den du sehen darfst, heißt „{text}“. Meinst du {near}?',
  'error.no_person_matches': 'Niemand, den du sehen darfst, heißt „{text}“.',
  'error.code_ambiguous': '„{code}“ hat mehrere Bedeutungen.',
  'error.code_candidate': 'Gemeint sein kann {code} {name}.',
  'error.likely_duplicate': 'Das sieht nach einem doppelten Eintrag aus.',
  'error.flight_candidate': 'Flug von {from} nach {to} am {date}.',
  'error.id_or_match': 'Nenne den Flug oder beschreibe ihn.',
  'error.nothing_to_change': 'Es gibt nichts zu ändern. Nenne ein Feld und seinen neuen Wert.',
  'error.people_form': 'Nenne jede Person: wer mitfliegt, den Platz wechselt oder aussteigt.',
  'error.match_empty': 'Gib eine Flugnummer, ein Datum oder einen Flughafen an.',
  'error.match_several': 'Mehrere Flüge passen.',
  'error.match_near': 'Kein Flug passt zu allem.',
  'error.match_none': 'Kein Flug passt dazu.',
  'error.you_not_on_flight': 'Du bist nicht auf diesem Flug.',
  'error.person_not_on_flight': '„{text}“ ist nicht auf diesem Flug.',
  'error.times_kept_backward':
    'Mit den bisherigen Zeiten käme der Flug vor dem Abflug an. Ändere auch die Zeiten.',
  'error.date_too_vague_for_times': 'Zeiten brauchen den Tag. Gib den Tag an oder leere die Zeiten.',
  'error.period_in_log': 'Du hast bereits einen Eintrag für {date} von {from} nach {to}.',
  'error.duplicate_of': 'Du hast bereits einen Flug von {from} nach {to} am {date}.',

  // MCP
  'error.post_only': 'Diese Adresse nimmt nur POST-Anfragen an.',
  'error.unknown_argument': 'Unbekannte Argumente: {named}.',
  'error.invalid_arguments': 'Diese Argumente können nicht angenommen werden.',
  'error.response_full':
    'Dieser Aufruf wurde nicht ausgeführt, weil die Antwort voll ist. Sende ihn in einer eigenen Anfrage.',
  'error.result_too_large': 'Das Ergebnis ist zu groß. Frage weniger ab.',
  'error.done_result_too_large': 'Das wurde ausgeführt, aber das Ergebnis ist zu groß, um es anzuzeigen.',

  // External ids, retries, many operations in one request
  'error.external_id_taken': 'Ein anderer deiner Flüge hat diese externe ID bereits.',
  'error.external_id_differs': 'Die Adresse nennt eine andere externe ID dieser Quelle.',
  'error.idempotency_key_form': 'Der Idempotenzschlüssel ist ungültig.',
  'error.idempotency_key_refused': 'Diese Anfrage darf keinen Idempotenzschlüssel haben.',
  'error.idempotency_mismatch': 'Dieser Idempotenzschlüssel wurde schon für eine andere Anfrage verwendet.',
  'error.idempotency_running':
    'Die erste Anfrage mit diesem Schlüssel läuft noch. Versuche es in einer Sekunde erneut.',
  'error.id_or_external_id': 'Gib entweder die ID oder die externe ID an.',
  'error.import_reading': 'Die Datei wird noch gelesen. Versuche es gleich noch einmal.',
  'error.import_unusable':
    'Dieser Import kann nicht übernommen werden: Die Datei war nicht lesbar, oder er ist abgelaufen.',
  'error.import_not_committed': 'Von diesem Import ist nichts in deinem Logbuch.',
  'error.bulk_failed': 'Es wurde nichts gespeichert, weil eine der Änderungen fehlgeschlagen ist.',
  'error.bulk_undone': 'Das wurde nicht gespeichert, weil eine andere Änderung fehlgeschlagen ist.',
  'error.external_source_form':
    'Verwende 1 bis 32 Kleinbuchstaben, Ziffern, Punkte, Unterstriche oder Bindestriche.',
  'error.external_value_form': 'Verwende 1 bis 200 druckbare Zeichen.',

  // Imports
  'error.import_not_found': 'Diesen Import gibt es nicht mehr.',
  'error.import_row_not_found': 'Diese Zeile gibt es nicht mehr.',
  'error.import_answer_not_found': 'Diese Antwort ist nicht mehr gespeichert.',
  'error.import_empty': 'Diese Datei ist leer.',
  'error.import_too_large': 'Diese Datei ist zu groß. Möglich sind {max} Bytes.',
  'error.import_content_needed':
    'Es gibt nichts zu importieren. Wähle eine Datei aus oder füge ihren Text ein.',
  'error.import_bad_encoding': 'Der Inhalt der Datei ist nicht lesbar.',
  'error.import_busy':
    'Dieser Import wird gerade gespeichert oder rückgängig gemacht. Versuche es gleich noch einmal.',
  'error.import_closed':
    'Dieser Import wurde rückgängig gemacht oder ist abgelaufen. Wähle die Datei noch einmal aus.',
  'error.import_file_forgotten': 'Die Datei dieses Imports ist nicht mehr da. Wähle sie noch einmal aus.',
  'error.import_row_committed':
    'Diese Zeile ist schon in deinem Logbuch. Bearbeite den Flug oder mache den Import rückgängig.',
  'error.import_needs_reading': 'Die Datei wird noch gelesen. Versuche es gleich noch einmal.',
  'error.not_a_boarding_pass': 'Darin ist keine Bordkarte. Ein Bild muss den ganzen Strichcode zeigen.',
  'error.import_no_columns': 'Diese Datei hat keine Spalten.',
  'error.answer_needs_one': 'Wähle eine Antwort.',
  'error.answer_no_such_record': 'Das ist nicht verfügbar. Wähle etwas anderes.',
  'error.answer_no_such_question': 'Der Import fragt nicht nach „{value}“.',
  'error.answer_not_a_choice': 'Wähle eine dieser Möglichkeiten: {choices}.',
  'error.answer_cannot_create': 'Hier kann nichts angelegt werden.',

  // The legacy API
  'error.flight_id_not_a_number': 'Die Flug-ID ist keine Zahl.',
  'error.invalid_departure_airport': 'Diesen Startflughafen gibt es nicht.',
  'error.invalid_arrival_airport': 'Diesen Zielflughafen gibt es nicht.',
  'error.ambiguous_departure_airport': 'Als Startflughafen kommen infrage: {candidates}.',
  'error.ambiguous_arrival_airport': 'Als Zielflughafen kommen infrage: {candidates}.',
  'error.invalid_airline': 'Diese Airline gibt es nicht.',
  'error.invalid_aircraft': 'Diesen Flugzeugtyp gibt es nicht.',
  'error.code_expected': 'Gib einen Code ein.',
  'error.invalid_date_time': 'Das ist kein Datum.',
  'error.clock_form': 'Gib die Uhrzeit als HH:MM ein.',
  'error.user_among_passengers': 'Mindestens eine Person an Bord muss ein Konto haben.',
  'error.departure_date_required': 'Gib ein Abflugdatum ein.',
  'error.time_missing': '„{field}“ hat ein Datum, aber keine Uhrzeit.',
  'error.time_out_of_range': '„{field}“ liegt außerhalb des möglichen Bereichs.',
}
