/**
 * Options of a fake host that runs in the process of its test. Idle connections stay open: if the event loop is blocked for longer
 * than they may be idle, the host closes them just as the client sends its next request.
 */
export const keepsConnections = { keepAliveTimeout: 0 }
