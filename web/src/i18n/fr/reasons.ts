/** Why the server refuses something, in French. */
import type { reasons as english } from '../en/reasons.ts'
import type { Translation } from '../messages.ts'

const unavailable =
  'Le serveur n’a pas accès à ses données pour le moment. Rien n’a été modifié. Réessayez dans un instant.'
const damaged =
  'Les données du serveur sont endommagées ou manquantes. Contactez la personne qui gère le serveur.'

export const reasons: Translation<typeof english> = {
  // One value of a form; shown beside its field
  'error.required': 'Ce champ est obligatoire.',
  'error.invalid_value': 'Cette valeur n’est pas valide.',
  'error.wrong_form': 'Le format de cette valeur n’est pas valide.',
  'error.not_a_text': 'Cette valeur doit être un texte.',
  'error.not_a_number': 'Saisissez un nombre.',
  'error.not_an_integer': 'Saisissez un nombre entier.',
  'error.not_a_boolean': 'Choisissez oui ou non.',
  'error.not_a_list': 'Cette valeur doit être une liste.',
  'error.not_an_object': 'Cette valeur n’est pas valide.',
  'error.not_an_option': 'Choisissez l’une de ces valeurs : {options}.',
  'error.not_options': 'Choisissez uniquement parmi : {options}.',
  'error.not_an_id': 'Ce choix n’est pas disponible. Choisissez autre chose.',
  'error.not_a_date': 'Ce n’est pas une date.',
  'error.not_a_period': 'Ce n’est ni un jour, ni un mois, ni une année.',
  'error.not_a_moment': 'Ce n’est ni une date avec l’heure, ni un jeton.',
  'error.change_or_since': 'Indiquez soit une modification, soit une date avec l’heure.',
  'error.not_a_date_time': 'Ce n’est pas une date avec l’heure.',
  'error.no_such_day': 'Ce jour n’existe pas.',
  'error.no_such_month': 'Ce mois n’existe pas.',
  'error.not_storable':
    'Ce texte contient des caractères qui ne peuvent pas être enregistrés. Supprimez-les.',
  'error.pattern_mismatch': 'Cette valeur ne correspond pas au motif de ce champ.',
  'error.too_short': {
    one: 'Saisissez au moins {count} caractère.',
    other: 'Saisissez au moins {count} caractères.',
  },
  'error.too_long': {
    one: 'Saisissez au plus {count} caractère.',
    other: 'Saisissez au plus {count} caractères.',
  },
  'error.wrong_length': {
    one: 'Saisissez exactement {count} caractère.',
    other: 'Saisissez exactement {count} caractères.',
  },
  'error.too_few': {
    one: 'Il faut au moins {count} élément.',
    other: 'Il faut au moins {count} éléments.',
  },
  'error.too_many': {
    one: 'Pas plus de {count} élément.',
    other: 'Pas plus de {count} éléments.',
  },
  'error.too_small': 'La valeur minimale est {min}.',
  'error.too_large': 'La valeur maximale est {max}.',
  'error.not_above': 'La valeur doit être supérieure à {limit}.',
  'error.not_below': 'La valeur doit être inférieure à {limit}.',
  'error.unknown_field': 'Le champ « {field} » n’existe pas.',

  // General
  'error.bad_request': 'Le serveur n’a pas compris cette requête. Rechargez la page et réessayez.',
  'error.invalid_json': 'Le serveur n’a pas compris cette requête. Rechargez la page et réessayez.',
  'error.unauthorized': 'Veuillez vous connecter.',
  'error.forbidden': 'Votre rôle ne le permet pas.',
  'error.credential_only_reads': 'Cet accès est en lecture seule. Utilisez-en un qui permet aussi d’écrire.',
  'error.insufficient_scope': 'L’autorisation {scope} est nécessaire.',
  'error.not_found': 'Il n’y a rien à cette adresse.',
  'error.method_not_allowed': '{method} n’est pas possible ici.',
  'error.payload_too_large': 'L’envoi est trop volumineux. La limite est de {max} octets.',
  'error.validation_failed': 'Vérifiez les champs signalés.',
  'error.internal_error': 'Une erreur s’est produite sur le serveur. Elle a été consignée dans le journal.',

  // Things that do not exist, or that the reader may not see
  'error.flight_not_found': 'Ce vol n’existe plus.',
  'error.flight_in_bin': 'Le vol est dans « Supprimés récemment » et peut être restauré.',
  'error.others_on_flight':
    'D’autres personnes figurent sur ce vol. Il reste dans « Supprimés récemment » jusqu’à la fin de ses 30 jours.',
  'error.flight_not_deleted': 'Ce vol n’est pas supprimé.',
  'error.share_not_found': 'Cette page partagée n’existe plus.',
  'error.feed_not_found': 'Ce flux n’existe plus.',
  'error.trip_not_found': 'Ce voyage n’existe plus.',
  'error.role_not_found': 'Ce rôle n’existe plus.',
  'error.user_not_found': 'Cette personne n’existe plus.',
  'error.airport_not_found': 'Cet aéroport n’existe plus.',
  'error.airline_not_found': 'Cette compagnie aérienne n’existe plus.',
  'error.aircraft_not_found': 'Ce type d’appareil n’existe plus.',
  'error.custom_field_not_found': 'Ce champ personnalisé n’existe plus.',
  'error.api_key_not_found': 'Cette clé d’API n’existe plus.',
  'error.passkey_not_found': 'Cette clé d’accès n’existe plus.',
  'error.identity_not_found': 'Ce compte chez le fournisseur n’est plus lié.',
  'error.provider_not_found': 'Cette instance n’a pas de fournisseur d’identité.',
  'error.session_not_found': 'Cette session est déjà fermée.',
  'error.connected_app_not_found': 'Cette application n’est plus connectée.',
  'error.change_not_found':
    'Cette modification n’est plus connue. Les modifications sont conservées 30 jours.',
  'error.notice_not_found': 'Cette notification n’existe plus.',
  'error.file_not_found': 'Ce fichier n’existe plus.',
  'error.just_deleted':
    'Un élément auquel cette action se rapporte vient d’être supprimé. Rechargez la page et réessayez.',
  'error.version_changed':
    'Ce vol a été modifié entre-temps. Rechargez-le, puis refaites votre modification.',
  'error.already_exists': 'Ce vol existe déjà.',
  'error.precondition_required': 'Ce serveur exige la version qui a été lue (If-Match).',

  // Addresses and their parameters
  'error.id_not_positive': 'Cette adresse est incorrecte.',
  'error.invalid_scope': 'Cette sélection de vols n’est pas valide.',
  'error.invalid_pagination': 'Le nombre d’entrées par page doit être compris entre 1 et 100.',
  'error.invalid_cursor': 'Cette liste a changé. Rechargez-la.',
  'error.invalid_token': 'Votre copie du carnet de vol correspond à une autre vue. Rechargez-la.',
  'error.resync_required': 'Votre copie du carnet de vol est trop ancienne. Rechargez-la.',
  'error.too_many_waiting': 'Au plus {max} requêtes peuvent attendre des modifications en même temps.',
  'error.invalid_format': 'Ce format de fichier n’est pas disponible.',
  'error.limit_out_of_range': 'Le nombre d’entrées doit être compris entre 1 et 100.',
  'error.top_out_of_range': 'Le nombre de groupes doit être compris entre 1 et 500.',
  'error.top_without_group_by': 'Le nombre de groupes ne peut être indiqué que pour des groupes.',
  'error.same_person_twice': 'Il s’agit deux fois de la même personne ({name}). Choisissez-en une autre.',
  'error.query_required': 'Saisissez un texte à rechercher.',
  'error.flight_number_form': 'Saisissez un numéro de vol avec le code de la compagnie, par exemple SK909.',
  'error.query_or_codes': 'Indiquez soit une recherche, soit une liste de codes, mais pas les deux.',
  'error.query_too_long': 'Le texte à rechercher est trop long.',
  'error.local_time_form': 'Ce n’est pas une heure locale.',
  'error.user_id_required': 'Choisissez une personne.',
  'error.user_id_without_user_scope':
    'Une personne ne peut être indiquée que pour les vols d’une seule personne.',
  'error.user_id_unknown': 'Cette personne n’existe pas.',
  'error.invalid_parameter': 'Le paramètre {parameter} de cette adresse n’est pas valide.',
  'error.unknown_parameter': 'Cette adresse contient des paramètres inconnus : {names}.',
  'error.parameter_not_storable':
    'Le paramètre {parameter} contient des caractères qui ne sont pas du texte.',
  'error.parameter_matches_nothing': 'Rien ne correspond à « {value} » ({parameter}).',
  'error.parameter_nearly_matches':
    'Rien ne correspond à « {value} » ({parameter}). Vouliez-vous dire {near} ?',
  'error.parameter_repeated': 'Le paramètre {parameter} ne doit pas être répété.',

  // Requests
  'error.json_expected': 'La requête doit être envoyée au format JSON.',
  'error.body_required': 'La requête est vide.',
  'error.body_too_deep': 'La requête comporte trop de niveaux imbriqués : {max} au maximum.',
  'error.body_too_many_values': 'La requête est trop volumineuse : {max} valeurs au maximum.',
  'error.body_too_many_members': 'La requête est trop volumineuse : {max} valeurs nommées au maximum.',
  'error.form_expected': 'La requête doit être envoyée sous forme de formulaire.',
  'error.multipart_unreadable': 'Le formulaire est illisible.',
  'error.headers_too_large': 'Les en-têtes de la requête sont trop volumineux.',
  'error.request_too_slow': 'La requête a mis trop de temps à arriver. Réessayez.',
  'error.not_http': 'Ce n’est pas une requête HTTP.',
  'error.cross_origin':
    'Le serveur attend des requêtes provenant de {origin}. Ouvrez Contrail à cette adresse ou corrigez le réglage ORIGIN.',
  'error.host_mismatch': 'Cette adresse ne correspond pas au réglage ORIGIN du serveur.',
  'error.origin_malformed': 'L’en-tête Origin est mal formé.',
  'error.web_app_only': 'Cette fonction n’est disponible que dans l’application web.',
  'error.metrics_token_required': 'Le jeton des métriques est obligatoire.',
  'error.too_many_attempts': 'Trop de tentatives. Réessayez dans {seconds}.',
  'error.too_many_calls': 'Trop d’appels. Réessayez dans {seconds}.',
  'error.too_many_at_once': 'Trop de requêtes à la fois. Réessayez dans {seconds}.',
  'error.too_many_uploads':
    'Vous envoyez trop de fichiers en même temps. Attendez la fin d’un envoi, puis réessayez dans {seconds}.',
  'error.too_many_pictures': 'Trop d’images sont en cours de lecture. Réessayez dans {seconds}.',

  // Storage that is unavailable
  'error.server_starting': 'Le serveur est en train de démarrer. Réessayez dans un instant.',
  'error.server_busy':
    'Le serveur a trop à faire pour le moment. Rien n’a été modifié. Réessayez dans un instant.',
  'error.server_stopping':
    'Le serveur est en train de s’arrêter. Rien n’a été modifié. Réessayez dans un instant.',
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
    'Le disque du serveur est plein : rien ne peut être enregistré. Contactez la personne qui gère le serveur.',
  'error.data_read_only':
    'Les données du serveur sont en lecture seule : rien ne peut être enregistré. Contactez la personne qui gère le serveur.',
  'error.outcome_unknown':
    'La connexion a été perdue pendant l’enregistrement. Rechargez la page et vérifiez si l’enregistrement a eu lieu avant de recommencer.',

  // Accounts
  'error.wrong_credentials': 'Le nom d’utilisateur ou le mot de passe est incorrect.',
  'error.passwords_off': 'Ici, seul le propriétaire se connecte avec un mot de passe.',
  'error.second_factor_required': 'Saisissez le code de votre second facteur.',
  'error.second_factor_wrong': 'Le code est incorrect ou a déjà été utilisé.',
  'error.second_factor_expired':
    'Le délai pour saisir le code est écoulé. Connectez-vous de nouveau avec votre mot de passe.',
  'error.second_factor_unreadable':
    'Ce serveur a perdu le secret de votre application d’authentification. Utilisez un code de secours, ou demandez un lien de réinitialisation à un administrateur.',
  'error.second_factor_on': 'Le second facteur est activé. Désactivez-le d’abord.',
  'error.second_factor_off': 'Le second facteur n’est pas activé.',
  'error.second_factor_not_started': 'Commencez d’abord la configuration du second facteur.',
  'error.second_factor_needs_password':
    'Un second facteur est demandé après un mot de passe, et votre compte n’en a pas.',
  'error.code_or_recovery_code': 'Indiquez soit un code, soit un code de secours.',
  'error.confirmation_required': 'Veuillez confirmer que c’est bien vous.',
  'error.password_unchanged': 'Choisissez un mot de passe différent de l’actuel.',
  'error.last_way_in': 'C’est le seul moyen de se connecter à ce compte. Ajoutez-en d’abord un autre.',
  'error.passkeys_unavailable':
    'Les clés d’accès fonctionnent uniquement en https avec un nom d’hôte, ou sur localhost.',
  'error.passkey_refused':
    'Cette clé d’accès n’a pas été acceptée. Si vous l’avez supprimée ici, supprimez-la aussi de votre appareil.',
  'error.passkey_expired': 'Cela a pris trop de temps. Veuillez réessayer.',
  'error.passkey_of_another': 'Cette clé d’accès appartient à un autre compte.',
  'error.passkey_taken': 'Cette clé d’accès est déjà enregistrée.',
  'error.too_many_passkeys': 'Vous avez déjà {max} clés d’accès. Supprimez-en d’abord une.',
  'error.identity_taken':
    'Ce compte chez le fournisseur est lié à un autre compte ici. Supprimez d’abord ce lien là-bas.',
  'error.current_password_wrong': 'Ce n’est pas votre mot de passe actuel.',
  'error.new_password_required':
    'Définissez un nouveau mot de passe pour supprimer les clés d’API ou déconnecter les applications.',
  'error.username_form':
    'Utilisez uniquement des lettres, des chiffres, des points, des tirets bas et des traits d’union.',
  'error.username_taken': 'Ce nom d’utilisateur est déjà pris. Choisissez-en un autre.',
  'error.name_has_invisible': 'Supprimez les caractères invisibles et ceux qui changent le sens de lecture.',
  'error.name_has_no_visible': 'Utilisez au moins un caractère visible.',
  'error.already_set_up': 'Cette instance de Contrail est déjà configurée.',
  'error.setup_token_wrong':
    'Le jeton de configuration est incorrect. Vous le trouverez dans le journal du serveur.',
  'error.link_invalid': 'Ce lien a déjà été utilisé, a expiré ou a été révoqué. Demandez-en un nouveau.',
  'error.mail_off': 'Ce serveur n’envoie pas d’e-mails.',
  'error.email_form': 'Saisissez une adresse e-mail, par exemple ada@example.org.',
  'error.own_password_in_settings': 'Changez votre propre mot de passe depuis votre profil.',
  'error.backup_not_found': 'Cette sauvegarde n’existe plus.',
  'error.backups_off': 'Les sauvegardes sont désactivées sur ce serveur.',
  'error.backup_running': 'Une sauvegarde est déjà en cours.',
  'error.invitation_not_found': 'Cette invitation n’est plus ouverte.',
  'error.reset_link_not_found': 'Cette personne n’a pas de lien ouvert.',
  'error.account_deleted': 'Ce compte a été supprimé.',
  'error.owner_cannot_be_deleted': 'Le compte du propriétaire ne peut pas être supprimé.',
  'error.own_account_in_settings': 'Supprimez votre propre compte depuis votre profil.',
  'error.too_many_feeds': 'Vous avez déjà {max} flux. Supprimez-en d’abord un.',
  'error.feed_shows_nothing':
    'Choisissez les vols passés ou à venir. Un flux avec un délai ne montre jamais les vols à venir.',
  'error.feed_kind_fixed': 'Le type d’un flux ne peut pas être modifié. Créez un autre flux.',
  'error.webhook_not_found': 'Ce webhook n’existe plus.',
  'error.delivery_not_found': 'Cet envoi n’existe plus.',
  'error.webhooks_off': 'Les webhooks sont désactivés sur ce serveur.',
  'error.webhook_stopped': 'Ce webhook n’envoie rien. Enregistrez-le de nouveau pour l’activer.',
  'error.webhook_url_form':
    'Saisissez une adresse https sans nom d’utilisateur, ni mot de passe, ni fragment.',
  'error.webhook_url_private':
    'Cette adresse n’est pas sur l’Internet public. La personne qui gère le serveur décide si des webhooks peuvent y être envoyés.',
  'error.too_many_webhooks': 'Vous avez déjà {max} webhooks. Supprimez-en d’abord un.',
  'error.too_many_webhooks_here': 'Ce serveur compte déjà {max} webhooks, ce qui est la limite.',
  'error.mailbox_not_found': 'Cette boîte e-mail n’existe plus.',
  'error.subscription_not_found': 'Ce calendrier n’existe plus ici.',
  'error.mail_address_not_found': 'Vous n’avez pas d’adresse pour les e-mails transférés.',
  'error.mailboxes_off': 'La lecture des boîtes e-mail est désactivée sur ce serveur.',
  'error.subscriptions_off': 'La lecture des calendriers est désactivée sur ce serveur.',
  'error.mail_in_off': 'Ce serveur ne reçoit pas d’e-mails.',
  'error.intake_busy': 'La lecture est en cours. Réessayez dans un instant.',
  'error.too_many_mailboxes': 'Vous avez déjà {max} boîtes e-mail. Retirez-en d’abord une.',
  'error.too_many_subscriptions': 'Vous avez déjà {max} calendriers. Retirez-en d’abord un.',
  'error.already_subscribed': 'Vous avez déjà ce calendrier.',
  'error.calendar_url_form': 'Saisissez une adresse https ou webcal sans nom d’utilisateur ni mot de passe.',
  'error.mail_host_form':
    'Saisissez le nom d’un serveur, par exemple imap.example.org, sans protocole ni port.',
  'error.mail_encryption_required':
    'Choisissez TLS ou STARTTLS. Sans chiffrement, seuls sont lus les serveurs de messagerie sur cette machine ou à une adresse privée autorisée.',
  'error.mail_sender_form': 'Saisissez des adresses e-mail, par exemple ada@example.org.',
  'error.intake_address_refused':
    'Cette adresse n’est pas sur l’Internet public. La personne qui gère le serveur décide si elle peut être lue.',
  'error.intake_name_not_found': 'Aucun serveur ne porte ce nom. Vérifiez l’orthographe.',
  'error.intake_no_connection': 'Aucun serveur ne répond à cette adresse et sur ce port. Vérifiez les deux.',
  'error.intake_certificate_invalid':
    'Le certificat du serveur a expiré, correspond à un autre nom ou n’a pas été émis par une autorité connue. Saisissez le nom pour lequel il a été émis.',
  'error.intake_timeout':
    'Le serveur n’a pas répondu à temps. Vérifiez le serveur et le port, ou réessayez plus tard.',
  'error.intake_connection_broken':
    'Le serveur a mis fin à la connexion. Vérifiez le port ou réessayez plus tard.',
  'error.intake_encryption_missing': 'Le serveur ne propose pas de chiffrement ici. Essayez un autre port.',
  'error.intake_login_refused':
    'Le serveur a refusé le nom d’utilisateur ou le mot de passe. De nombreux fournisseurs exigent un mot de passe d’application.',
  'error.intake_folder_not_found':
    'Cette boîte e-mail ne contient pas ce dossier. Saisissez son nom complet, par exemple INBOX ou Voyages/Vols.',
  'error.intake_not_a_mail_server': 'Ce n’est pas un serveur IMAP. Son port est généralement le 993.',
  'error.intake_http_status':
    'Le serveur a répondu avec le code {status}. Copiez de nouveau l’adresse du calendrier.',
  'error.intake_redirect_refused': 'Cette adresse renvoie vers une autre. Saisissez cette dernière.',
  'error.intake_not_a_calendar':
    'Il n’y a pas de calendrier à cette adresse. Saisissez l’adresse de son fichier ICS, pas celle de sa page.',
  'error.intake_too_large':
    'Le calendrier dépasse {max} octets. Utilisez un calendrier qui ne contient que vos voyages.',
  'error.too_many_keys': 'Vous avez déjà {max} clés d’API. Supprimez-en d’abord une.',
  'error.scope_not_permitted': 'Votre rôle n’accorde pas l’autorisation {scope}.',

  // Roles and other people
  'error.owner_only': 'Seul le propriétaire peut modifier son compte.',
  'error.not_manageable': 'Vous ne pouvez gérer que les personnes qui ont moins d’autorisations que vous.',
  'error.role_exceeds_yours': 'Ce rôle comprend des autorisations que vous n’avez pas.',
  'error.permission_not_given':
    'Une clé d’API ou une application ne peut pas donner {permission} à un rôle. Faites-le dans l’application web.',
  'error.no_such_role': 'Ce rôle n’existe plus. Choisissez-en un autre.',
  'error.role_name_taken': 'Un rôle porte déjà ce nom. Choisissez un autre nom.',
  'error.role_is_default':
    'Les nouveaux utilisateurs reçoivent ce rôle. Choisissez d’abord un autre rôle par défaut.',
  'error.role_in_use': 'Ce rôle est attribué à des utilisateurs. Donnez-leur d’abord un autre rôle.',

  // Shared pages
  'error.slug_form': 'Utilisez uniquement des lettres, des chiffres, des tirets bas et des traits d’union.',
  'error.slug_taken': 'Une autre page utilise cette adresse. Choisissez-en une autre.',
  'error.share_of_two': 'Un lien montre soit un vol, soit un voyage.',
  'error.share_subject_fixed': 'L’objet d’un lien ne peut pas être modifié. Créez un autre lien.',
  'error.too_many_trips': 'Vous avez déjà {max} voyages. Supprimez-en d’abord un.',
  'error.too_many_in_trip': 'Un voyage compte au plus {max} vols.',
  'error.flights_or_changes': 'Indiquez soit tous les vols, soit ceux à ajouter et à retirer.',
  'error.last_day_before_first': 'Le dernier jour ne doit pas précéder le premier.',

  // Custom fields
  'error.key_form': 'Utilisez uniquement des lettres minuscules, des chiffres et des tirets bas.',
  'error.key_reserved': 'Ce nom ne peut pas servir de clé. Choisissez-en un autre.',
  'error.key_taken': 'Un autre champ utilise cette clé. Choisissez-en une autre.',
  'error.cannot_be_changed': 'Ceci ne peut pas être modifié, car des valeurs enregistrées en dépendent.',
  'error.options_not_for_type': 'Seuls les champs à choix ont des options.',
  'error.options_required': 'Saisissez au moins une option.',
  'error.option_repeated': 'Saisissez chaque option une seule fois.',
  'error.rule_not_for_type': 'Cette règle ne s’applique pas aux champs de ce type.',
  'error.maximum_below_minimum': 'Le maximum ne doit pas être inférieur au minimum.',
  'error.pattern_malformed': 'Ce n’est pas une expression régulière valide.',
  'error.pattern_too_slow':
    'Ce motif peut prendre trop de temps. Ne répétez pas un groupe qui contient des répétitions ou des alternatives, et n’utilisez pas de références arrière.',
  'error.custom_field_invalid': 'Vérifiez le champ « {label} ».',
  'error.custom_field_inactive': 'Le champ « {label} » est inactif et n’accepte plus de nouvelles valeurs.',
  'error.unknown_custom_field': 'Le champ personnalisé « {field} » n’existe pas.',

  // Airports, airlines and aircraft types
  'error.record_not_custom':
    'Cette entrée est fournie avec Contrail et ne peut être ni modifiée ni supprimée.',
  'error.airport_code_taken': 'Un aéroport avec le code {code} existe déjà.',
  'error.unknown_time_zone': 'Ce fuseau horaire n’existe pas.',
  'error.unknown_country': 'Ce pays n’existe pas.',
  'error.airport_icao_form':
    'Utilisez 2 à 8 lettres, chiffres ou traits d’union ; commencez par une lettre ou un chiffre.',
  'error.airport_iata_form': 'Utilisez trois lettres ou chiffres.',
  'error.airline_icao_form': 'Utilisez trois lettres ou chiffres.',
  'error.airline_iata_form': 'Utilisez deux lettres ou chiffres.',
  'error.aircraft_icao_form': 'Utilisez deux à quatre lettres ou chiffres.',
  'error.country_form': 'Utilisez les deux lettres d’un code de pays.',
  'error.icon_not_an_image': 'Choisissez une image PNG, JPEG, WebP ou SVG.',
  'error.icon_not_drawable':
    'Ce SVG ne peut pas être dessiné. Enregistrez-le au format PNG et importez ce fichier.',

  // Flights
  'error.arrival_before_departure': '« {field} » doit être après « {earlier} ».',
  'error.landing_before_takeoff': '« {field} » doit être après « {earlier} ».',
  'error.no_such_departure_airport': 'Cet aéroport n’existe plus. Choisissez-en un autre.',
  'error.no_such_arrival_airport': 'Cet aéroport n’existe plus. Choisissez-en un autre.',
  'error.no_such_aircraft': 'Ce type d’appareil n’existe plus. Choisissez-en un autre.',
  'error.no_such_airline': 'Cette compagnie aérienne n’existe plus. Choisissez-en une autre.',
  'error.no_such_planned_airport': 'Cet aéroport n’existe plus. Choisissez-en un autre.',
  'error.no_such_operating_airline': 'Cette compagnie aérienne n’existe plus. Choisissez-en une autre.',
  'error.no_such_home_airport': 'Cet aéroport n’existe plus. Choisissez-en un autre.',
  'error.planned_only_diverted': 'Seul un vol dérouté a une destination prévue.',
  'error.not_an_amount': 'Saisissez un montant, par exemple 129,90.',
  'error.not_a_currency': 'Choisissez une devise.',
  'error.no_such_user': 'Cette personne n’existe plus. Choisissez-en une autre.',
  'error.passenger_user_or_guest': 'Saisissez le nom d’une personne ou d’un invité.',
  'error.passenger_repeated': 'Cette personne est déjà sur le vol.',
  'error.person_already_aboard': '« {text} » est déjà sur le vol.',
  'error.person_is_you': '« {text} », c’est vous. Vous êtes de toute façon sur le vol.',
  'error.nobody_left': 'Le vol n’aurait plus de passagers. Supprimez plutôt le vol.',
  'error.passenger_not_on_flight': 'Ce passager n’appartient pas au vol. Rechargez la page et réessayez.',
  'error.passenger_matched_twice': 'Deux entrées désignent le même passager. Retirez-en une.',
  'error.must_keep_first':
    'Ce vol doit d’abord être gardé par {names}. D’ici là, quelqu’un qui l’a ajouté ou gardé doit y rester.',
  'error.must_keep_before_alone':
    'Cette personne doit garder le vol avant de pouvoir en être le seul passager.',
  'error.not_a_coordinate':
    'Un point a une longitude et une latitude, et peut avoir une altitude. La longitude doit être comprise entre -180 et 180, et la latitude entre -90 et 90.',
  'error.track_lists_differ': 'Les listes du tracé enregistré n’ont pas la même longueur.',
  'error.log_too_large':
    'Ce carnet de vol est trop volumineux pour être affiché en une fois. Téléchargez plutôt l’exportation.',
  'error.demo_already_loaded': 'Le carnet de vol de démonstration est déjà chargé.',

  // Flights by codes and local times; the form sends none of these
  'error.spoken_time_form': 'Saisissez l’heure au format HH:MM.',
  'error.spoken_date_form': 'Saisissez la date au format AAAA-MM-JJ, ou AAAA-MM si seul le mois est connu.',
  'error.named_twice': 'Utilisez soit {now}, soit {field}, son ancien nom.',
  'error.name_or_user_id': 'Utilisez soit name, soit userId.',
  'error.date_missing': 'Saisissez une date.',
  'error.departure_on_other_date': 'Le départ est le {departure}, pas le {date}.',
  'error.arrival_date_missing': 'Saisissez aussi le départ, ou la date d’arrivée.',
  // Relative days are understood in English and German only, so the examples are dates.
  'error.text_names_no_day':
    'Le texte n’indique aucun jour. Ajoutez-en un, par exemple « 20 février » ou « 20/02/2026 ».',
  'error.text_names_several_flights':
    'Le texte cite un troisième aéroport (« {text} »). Saisissez un vol par ligne, par exemple CPH–FRA et FRA–LHR, et placez les simples remarques après « note : ».',
  'error.text_names_diversion':
    'Le texte mentionne un déroutement (« {text} »). Indiquez où le vol a atterri et où il devait atterrir, ou placez cette mention après « note : ».',
  'error.text_names_no_route':
    'Le texte n’indique pas les deux aéroports. Ajoutez-les, par exemple « CPH JFK ».',
  'error.text_names_similar': 'Aucun aéroport ne s’appelle « {text} ». Peut-être s’agit-il de {candidates}.',
  'error.time_without_day':
    'Saisissez aussi le jour. Avec un mois ou une année seulement, une heure n’a pas de sens.',
  'error.airports_missing': 'Choisissez les deux aéroports.',
  'error.route_unknown':
    'Il n’y a pas de vol {flightNumber} antérieur dont reprendre la liaison. Choisissez les deux aéroports.',
  'error.route_not_found':
    'Votre carnet de vol ne contient pas de vol {flightNumber} antérieur, et la recherche en ligne n’a pas abouti. Saisissez les deux aéroports.',
  'error.no_airport_matches': 'Aucun aéroport ne correspond à « {text} ».',
  'error.no_airline_matches': 'Aucune compagnie aérienne ne correspond à « {text} ».',
  'error.no_aircraft_matches': 'Aucun type d’appareil ne correspond à « {text} ».',
  'error.ambiguous': '« {text} » peut désigner {candidates}. Saisissez le code.',
  'error.person_ambiguous': '« {text} » peut désigner {candidates}. Écrivez le nom tel qu’il figure ici.',
  'error.person_nearly_matches':
    'Parmi les personnes que vous pouvez voir, aucune ne s’appelle « {text} ». Vouliez-vous dire {near} ?',
  'error.no_person_matches': 'Parmi les personnes que vous pouvez voir, aucune ne s’appelle « {text} ».',
  'error.code_ambiguous': '« {code} » a plusieurs significations.',
  'error.code_candidate': 'Cela peut désigner {code} {name}.',
  'error.likely_duplicate': 'Ce vol ressemble à un doublon.',
  'error.flight_candidate': 'Vol {from}–{to} ({date}).',
  'error.id_or_match': 'Indiquez le vol ou décrivez-le.',
  'error.nothing_to_change': 'Il n’y a rien à modifier. Indiquez un champ et sa nouvelle valeur.',
  'error.people_form': 'Indiquez chaque personne : qui rejoint le vol, change de siège ou quitte le vol.',
  'error.match_empty': 'Indiquez un numéro de vol, une date ou un aéroport.',
  'error.match_several': 'Plusieurs vols correspondent.',
  'error.match_near': 'Aucun vol ne correspond à tous ces critères.',
  'error.match_none': 'Aucun vol ne correspond.',
  'error.you_not_on_flight': 'Vous n’êtes pas sur ce vol.',
  'error.person_not_on_flight': '« {text} » n’est pas sur ce vol.',
  'error.times_kept_backward':
    'Avec les heures inchangées, le vol arriverait avant d’être parti. Modifiez aussi les heures.',
  'error.date_too_vague_for_times':
    'Le jour est nécessaire pour les heures. Indiquez le jour ou effacez les heures.',
  'error.period_in_log': 'Vous avez déjà une entrée {from}–{to} pour {date}.',
  'error.duplicate_of': 'Vous avez déjà un vol {from}–{to} ({date}).',

  // MCP
  'error.post_only': 'Cette adresse n’accepte que les requêtes POST.',
  'error.unknown_argument': 'Arguments inconnus : {named}.',
  'error.invalid_arguments': 'Ces arguments ne peuvent pas être acceptés.',
  'error.response_full':
    'Cet appel n’a pas été exécuté, car la réponse est pleine. Envoyez-le dans une requête séparée.',
  'error.result_too_large': 'Le résultat est trop volumineux. Demandez-en moins.',
  'error.done_result_too_large':
    'L’action a été effectuée, mais son résultat est trop volumineux pour être affiché.',

  // External ids, retries, many operations in one request
  'error.external_id_taken': 'Un autre de vos vols a déjà cet identifiant externe.',
  'error.external_id_differs': 'L’adresse indique un autre identifiant externe de cette source.',
  'error.idempotency_key_form': 'La clé d’idempotence n’est pas valide.',
  'error.idempotency_key_refused': 'Cette requête ne peut pas avoir de clé d’idempotence.',
  'error.idempotency_mismatch': 'Cette clé d’idempotence a déjà servi pour une autre requête.',
  'error.idempotency_running':
    'La première requête avec cette clé est encore en cours. Réessayez dans une seconde.',
  'error.id_or_external_id': 'Indiquez soit l’identifiant, soit l’identifiant externe.',
  'error.import_reading': 'Le fichier est encore en cours de lecture. Réessayez dans un instant.',
  'error.import_unusable':
    'Cette importation ne peut pas être validée : son fichier n’a pas pu être lu, ou elle a expiré.',
  'error.import_not_committed': 'Rien de cette importation ne figure dans votre carnet de vol.',
  'error.bulk_failed': 'Rien n’a été enregistré, car l’une des modifications a échoué.',
  'error.bulk_undone': 'Cette modification n’a pas été enregistrée, car une autre a échoué.',
  'error.external_source_form':
    'Utilisez 1 à 32 lettres minuscules, chiffres, points, tirets bas ou traits d’union.',
  'error.external_value_form': 'Utilisez 1 à 200 caractères imprimables.',

  // Imports
  'error.import_not_found': 'Cette importation n’existe plus.',
  'error.import_row_not_found': 'Cette ligne n’existe plus.',
  'error.import_answer_not_found': 'Cette réponse n’est plus mémorisée.',
  'error.import_empty': 'Ce fichier est vide.',
  'error.import_too_large': 'Ce fichier est trop volumineux. La limite est de {max} octets.',
  'error.import_content_needed': 'Il n’y a rien à importer. Choisissez un fichier ou collez son texte.',
  'error.import_bad_encoding': 'Le contenu du fichier est illisible.',
  'error.import_busy':
    'Cette importation est en cours d’enregistrement ou d’annulation. Réessayez dans un instant.',
  'error.import_closed': 'Cette importation a été annulée ou a expiré. Choisissez de nouveau le fichier.',
  'error.import_file_forgotten': 'Le fichier de cette importation n’existe plus. Choisissez-le de nouveau.',
  'error.import_row_committed':
    'Cette ligne est déjà dans votre carnet de vol. Modifiez le vol ou annulez l’importation.',
  'error.import_needs_reading': 'Le fichier est encore en cours de lecture. Réessayez dans un instant.',
  'error.not_a_boarding_pass':
    'Aucune carte d’embarquement n’a été trouvée. Une image doit montrer le code-barres en entier.',
  'error.import_no_columns': 'Ce fichier n’a pas de colonnes.',
  'error.answer_needs_one': 'Choisissez une réponse.',
  'error.answer_no_such_record': 'Ce choix n’est pas disponible. Choisissez autre chose.',
  'error.answer_no_such_question': 'L’importation ne pose pas de question sur « {value} ».',
  'error.answer_not_a_choice': 'Choisissez l’une de ces valeurs : {choices}.',
  'error.answer_cannot_create': 'Rien ne peut être ajouté ici.',

  // The legacy API
  'error.flight_id_not_a_number': 'L’identifiant du vol n’est pas un nombre.',
  'error.invalid_departure_airport': 'Cet aéroport de départ n’existe pas.',
  'error.invalid_arrival_airport': 'Cet aéroport d’arrivée n’existe pas.',
  'error.ambiguous_departure_airport': 'L’aéroport de départ peut être l’un de ceux-ci : {candidates}.',
  'error.ambiguous_arrival_airport': 'L’aéroport d’arrivée peut être l’un de ceux-ci : {candidates}.',
  'error.invalid_airline': 'Cette compagnie aérienne n’existe pas.',
  'error.invalid_aircraft': 'Ce type d’appareil n’existe pas.',
  'error.code_expected': 'Saisissez un code.',
  'error.invalid_date_time': 'Ce n’est pas une date.',
  'error.clock_form': 'Saisissez l’heure au format HH:MM.',
  'error.user_among_passengers': 'Au moins un passager doit être un utilisateur.',
  'error.departure_date_required': 'Saisissez une date de départ.',
  'error.time_missing': '« {field} » a une date, mais pas d’heure.',
  'error.time_out_of_range': '« {field} » est hors limites.',
}
