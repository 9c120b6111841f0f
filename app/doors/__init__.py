"""The app's doors: HTTP routes, authentication, uploads, the page. One small file each."""
