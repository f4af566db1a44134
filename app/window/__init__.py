"""The window itself: builds its objects, frames its pages, opens its menus and dialogs."""
