import type { Migration } from './migration.ts'

export const foundation: Migration = {
  name: '001-foundation',
  statements: (t) => [
    `create table setting (name ${t.text} primary key, value ${t.text} not null)`,

    // Counters that rise with every committed change; what is cached is cached under them.
    `create table revision (name ${t.text} primary key, value ${t.bigint} not null)`,

    `create table role (
      id ${t.text} primary key,
      name ${t.text} not null,
      name_folded ${t.text} not null constraint role_name_taken unique,
      description ${t.text},
      permissions ${t.text} not null,
      created_at ${t.text} not null,
      updated_at ${t.text} not null
    )`,

    `create table person (
      id ${t.text} primary key,
      username ${t.text} not null,
      username_folded ${t.text} not null constraint username_taken unique,
      display_name ${t.text} not null,
      password_hash ${t.text},
      role_id ${t.text} references role (id),
      is_owner ${t.integer} not null,
      preferences ${t.text} not null,
      created_at ${t.text} not null,
      constraint owner_has_no_role check ((is_owner = 1 and role_id is null) or (is_owner = 0 and role_id is not null))
    )`,
    'create unique index one_owner on person (is_owner) where is_owner = 1',
    'create index person_role on person (role_id)',

    `create table api_key (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      name ${t.text} not null,
      hash ${t.text} not null unique,
      last_four ${t.text} not null,
      scopes ${t.text} not null,
      legacy_format ${t.text} not null,
      created_at ${t.text} not null,
      last_used_at ${t.text}
    )`,
    'create index api_key_user on api_key (user_id)',

    `create table session (
      id ${t.serialKey},
      hash ${t.text} not null unique,
      user_id ${t.text} not null references person (id) on delete cascade,
      user_agent ${t.text},
      created_at ${t.text} not null,
      last_seen_at ${t.text} not null,
      expires_at ${t.text} not null
    )`,
    'create index session_person on session (user_id)',
    'create index session_expiry on session (expires_at)',

    `create table airport (
      id ${t.integer} primary key,
      icao ${t.text} not null,
      iata ${t.text},
      name ${t.text} not null,
      municipality ${t.text},
      latitude ${t.double} not null,
      longitude ${t.double} not null,
      timezone ${t.text} not null,
      type ${t.text} not null,
      continent ${t.text} not null,
      country ${t.text} not null,
      former_codes ${t.text} not null,
      custom ${t.integer} not null,
      search ${t.text} not null
    )`,
    'create index airport_icao on airport (icao)',
    'create index airport_iata on airport (iata) where iata is not null',

    `create table airline (
      id ${t.integer} primary key,
      name ${t.text} not null,
      icao ${t.text},
      iata ${t.text},
      country ${t.text},
      callsign ${t.text},
      active ${t.integer} not null,
      icon_path ${t.text},
      custom ${t.integer} not null,
      search ${t.text} not null
    )`,
    'create index airline_icao on airline (icao)',
    'create index airline_iata on airline (iata)',

    `create table aircraft (
      id ${t.integer} primary key,
      name ${t.text} not null,
      icao ${t.text},
      iata ${t.text},
      custom ${t.integer} not null,
      search ${t.text} not null
    )`,
    'create index aircraft_icao on aircraft (icao)',

    `create table custom_field (
      id ${t.serialKey},
      entity_type ${t.text} not null,
      key ${t.text} not null,
      label ${t.text} not null,
      description ${t.text},
      field_type ${t.text} not null,
      required ${t.integer} not null,
      position ${t.integer} not null,
      default_value ${t.text},
      options ${t.text},
      validation ${t.text},
      active ${t.integer} not null,
      created_at ${t.text} not null,
      updated_at ${t.text} not null,
      constraint custom_field_key_taken unique (entity_type, key)
    )`,

    `create table flight (
      id ${t.serialKey},
      date ${t.text} not null,
      date_precision ${t.text} not null,
      departure ${t.text},
      arrival ${t.text},
      departure_scheduled ${t.text},
      arrival_scheduled ${t.text},
      takeoff_scheduled ${t.text},
      takeoff_actual ${t.text},
      landing_scheduled ${t.text},
      landing_actual ${t.text},
      duration ${t.bigint},
      departure_terminal ${t.text},
      departure_gate ${t.text},
      arrival_terminal ${t.text},
      arrival_gate ${t.text},
      flight_number ${t.text},
      aircraft_reg ${t.text},
      note ${t.text},
      from_id ${t.integer} references airport (id) on delete set null,
      to_id ${t.integer} references airport (id) on delete set null,
      airline_id ${t.integer} references airline (id) on delete set null,
      aircraft_id ${t.integer} references aircraft (id) on delete set null,
      custom_fields ${t.text},
      created_at ${t.text} not null,
      updated_at ${t.text} not null
    )`,
    'create index flight_newest on flight (date desc, id desc)',
    'create index flight_from on flight (from_id)',
    'create index flight_to on flight (to_id)',
    'create index flight_airline on flight (airline_id)',
    'create index flight_aircraft on flight (aircraft_id)',

    `create table flight_passenger (
      id ${t.serialKey},
      flight_id ${t.integer} not null references flight (id) on delete cascade,
      flight_date ${t.text} not null,
      user_id ${t.text} references person (id) on delete cascade,
      guest_name ${t.text},
      seat ${t.text},
      seat_number ${t.text},
      seat_class ${t.text},
      flight_reason ${t.text},
      custom_fields ${t.text},
      constraint user_or_guest check ((user_id is null) <> (guest_name is null)),
      unique (flight_id, user_id),
      unique (flight_id, guest_name)
    )`,
    'create index flight_passenger_newest on flight_passenger (user_id, flight_date desc, flight_id desc) where user_id is not null',

    // The body stands last, so that reading a summary never touches it.
    `create table track (
      flight_id ${t.integer} primary key references flight (id) on delete cascade,
      point_count ${t.integer} not null,
      source_format ${t.text} not null,
      source_name ${t.text},
      created_at ${t.text} not null,
      updated_at ${t.text} not null,
      body ${t.blob} not null
    )`,

    `create table visited_country (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      code ${t.text} not null,
      status ${t.text} not null,
      note ${t.text},
      unique (user_id, code)
    )`,

    `create table share (
      id ${t.serialKey},
      user_id ${t.text} not null references person (id) on delete cascade,
      slug ${t.text} not null constraint share_slug_taken unique,
      expires_at ${t.text},
      created_at ${t.text} not null,
      settings ${t.text} not null
    )`,
    'create index share_user on share (user_id)',
  ],
}
