"""The window itself: builds its objects, frames its pages, opens its menus and dialogs."""

from app.runtime.unread_sources import leave_sources_unread

# Before any of its modules is loaded.
leave_sources_unread()
