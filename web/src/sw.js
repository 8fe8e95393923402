self.addEventListener('install', () => self.skipWaiting())
const assets = /* ASSETS */ []
