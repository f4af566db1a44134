"""Makes the pages beside the six, each when it is first asked for, with what is behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.controllers.asides.servers import ServersController
from app.views.servers.page import ServersPage

if TYPE_CHECKING:
    from app.views.history.page import HistoryPage
    from app.views.lab.page import LabPage
    from app.views.trial.page import TrialPage
    from app.window.pages import Pages
    from app.window.parts import Parts


def trial_page(parts: Parts, pages: Pages) -> TrialPage:
    """One change on the live server."""
    from app.views.trial.page import TrialPage  # noqa: PLC0415 - as it is asked for

    page = TrialPage(parts.appearance, pages.trial_controller)
    page.run_wanted.connect(pages.going.go_run)
    return page


def lab_page(parts: Parts, pages: Pages) -> LabPage:
    """A question on throwaway servers."""
    from app.views.lab.page import LabPage  # noqa: PLC0415 - as it is asked for

    page = LabPage(parts.appearance, pages.lab_controller)
    page.run_wanted.connect(pages.going.go_run)
    return page


def history_page(parts: Parts, pages: Pages) -> HistoryPage:
    """A server over time."""
    from app.controllers.asides.history import HistoryController  # noqa: PLC0415 - as it is asked
    from app.views.history.page import HistoryPage  # noqa: PLC0415

    controller = HistoryController(parts.runner, parts.use_cases, parts.stored_runs)
    page = HistoryPage(parts.appearance, controller, parts.selection)
    controller.setParent(page)
    page.run_wanted.connect(pages.going.go_run)
    page.watch_wanted.connect(pages.going.watch_now)
    page.texts_wanted.connect(pages.importing.ask_newer)
    return page


def servers_page(parts: Parts) -> ServersPage:
    """All servers; it leads nowhere yet."""
    controller = ServersController(parts.runner, parts.use_cases, parts.stored_runs)
    page = ServersPage(parts.appearance, controller, parts.stored_runs)
    controller.setParent(page)
    return page


def lead_from_servers(page: ServersPage, pages: Pages) -> None:
    """Have the buttons and rows of all servers lead where they say."""
    page.open_wanted.connect(pages.going.go_home)
    page.report_wanted.connect(pages.handing_over.report_of)
    page.reports_wanted.connect(pages.handing_over.report_of_servers)
    page.add_wanted.connect(pages.targets.add)
    page.here_wanted.connect(pages.targets.add_here)
    page.import_wanted.connect(pages.importing.ask_server)
    page.written.connect(pages.saved)
