"""What Sphinx is to make of the pages that docs/build/site.py has gathered."""

project = "Leadline"
language = "en"
# Two dashes begin an option, and quotes belong to commands.
smartquotes = False
extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = "Leadline"
html_logo = "_static/leadline-64.png"
html_favicon = "_static/leadline.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_theme_options = {
    # The colours of the window: app/theme/tokens.py.
    "light_css_variables": {
        "color-brand-primary": "#0b6e82",
        "color-brand-content": "#0b6e82",
        "color-brand-visited": "#0b6e82",
    },
    "dark_css_variables": {
        "color-background-primary": "#14191f",
        "color-background-secondary": "#1b222a",
        "color-brand-primary": "#43c2d6",
        "color-brand-content": "#43c2d6",
        "color-brand-visited": "#43c2d6",
    },
}

# Code in blocks may be part of a document, with what is left out as dots.
suppress_warnings = ["misc.highlighting_failure"]
