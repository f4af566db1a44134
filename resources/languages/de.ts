<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name></name>
    <message>
        <source>&amp;Add a directory…</source>
        <translation>Verzeichnis &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Add a target…</source>
        <translation>Ziel &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Advice</source>
        <translation>Em&amp;pfehlungen</translation>
    </message>
    <message>
        <source>&amp;Author</source>
        <translation>&amp;Autor</translation>
    </message>
    <message>
        <source>&amp;Bench directories…</source>
        <translation>&amp;Verzeichnisse vergleichen…</translation>
    </message>
    <message>
        <source>&amp;Clear this list</source>
        <translation>&amp;Liste leeren</translation>
    </message>
    <message>
        <source>&amp;Client</source>
        <translation>&amp;Kunde</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>&amp;Compare this run…</source>
        <translation>Diesen Lauf &amp;vergleichen…</translation>
    </message>
    <message>
        <source>&amp;Copy the change plan</source>
        <translation>Änderungsplan k&amp;opieren</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Date</source>
        <translation>&amp;Datum</translation>
    </message>
    <message>
        <source>&amp;Delete the chosen run or target</source>
        <translation>Gewählten Lauf oder Ziel &amp;löschen</translation>
    </message>
    <message>
        <source>&amp;Delete this run</source>
        <translation>Diesen Lauf &amp;löschen</translation>
    </message>
    <message>
        <source>&amp;Diagnostics…</source>
        <translation>&amp;Diagnose…</translation>
    </message>
    <message>
        <source>&amp;Directories</source>
        <translation>&amp;Verzeichnisse</translation>
    </message>
    <message>
        <source>&amp;Directory</source>
        <translation>Ver&amp;zeichnis</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>&amp;Bearbeiten…</translation>
    </message>
    <message>
        <source>&amp;Export as a case…</source>
        <translation>Als Fall &amp;exportieren…</translation>
    </message>
    <message>
        <source>&amp;Export the chart…</source>
        <translation>Diagramm &amp;exportieren…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Go to…</source>
        <translation>&amp;Gehe zu…</translation>
    </message>
    <message>
        <source>&amp;Guard the live server</source>
        <translation>&amp;Live-Server schützen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Home</source>
        <translation>Über&amp;sicht</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>&amp;Host</translation>
    </message>
    <message>
        <source>&amp;Identity file</source>
        <translation>S&amp;chlüsseldatei</translation>
    </message>
    <message>
        <source>&amp;Import measurements…</source>
        <translation>Messungen &amp;importieren…</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Behalten</translation>
    </message>
    <message>
        <source>&amp;Keyboard and licences</source>
        <translation>&amp;Tasten und Lizenzen</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Logarithmic latency</source>
        <translation>&amp;Latenz logarithmisch</translation>
    </message>
    <message>
        <source>&amp;Logo</source>
        <translation>&amp;Logo</translation>
    </message>
    <message>
        <source>&amp;Look at the target again</source>
        <translation>Ziel e&amp;rneut ansehen</translation>
    </message>
    <message>
        <source>&amp;Measure a throwaway MySQL server, too</source>
        <translation>Auch einen Wegwer&amp;f-MySQL-Server messen</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>Arbei&amp;tsspeicher</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Name the chosen run…</source>
        <translation>Gewählten Lauf be&amp;nennen…</translation>
    </message>
    <message>
        <source>&amp;Name this run…	F2</source>
        <translation>Diesen Lauf be&amp;nennen…	F2</translation>
    </message>
    <message>
        <source>&amp;Opening</source>
        <translation>&amp;Einleitung</translation>
    </message>
    <message>
        <source>&amp;Probe</source>
        <translation>M&amp;essen</translation>
    </message>
    <message>
        <source>&amp;Project</source>
        <translation>&amp;Projekt</translation>
    </message>
    <message>
        <source>&amp;Quick</source>
        <translation>S&amp;chnell</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Bee&amp;nden</translation>
    </message>
    <message>
        <source>&amp;Remove with its runs</source>
        <translation>Mit allen Läufen &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Repeats</source>
        <translation>&amp;Wiederholungen</translation>
    </message>
    <message>
        <source>&amp;Report for a client…</source>
        <translation>&amp;Bericht für Kunden…</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Messung</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>&amp;Sections</source>
        <translation>Ab&amp;schnitte</translation>
    </message>
    <message>
        <source>&amp;Standard</source>
        <translation>S&amp;tandard</translation>
    </message>
    <message>
        <source>&amp;Stop measuring</source>
        <translation>Messung &amp;stoppen</translation>
    </message>
    <message>
        <source>&amp;Tags</source>
        <translation>&amp;Stichwörter</translation>
    </message>
    <message>
        <source>&amp;Template</source>
        <translation>&amp;Vorlage</translation>
    </message>
    <message>
        <source>&amp;Try the sample</source>
        <translation>Beis&amp;piel öffnen</translation>
    </message>
    <message>
        <source>&amp;Undo the deletion</source>
        <translation>Löschun&amp;g rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation>&amp;Benutzer</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation>&amp;Beobachten</translation>
    </message>
    <message>
        <source>&amp;Watch the server</source>
        <translation>Server &amp;beobachten</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is not a whole number.</source>
        <translation>„{text}“ ist keine ganze Zahl.</translation>
    </message>
    <message>
        <source>0 or 2: synced each second</source>
        <translation>0 oder 2: Sync jede Sekunde</translation>
    </message>
    <message>
        <source>0: left to the system</source>
        <translation>0: dem System überlassen</translation>
    </message>
    <message numerus="yes">
        <source>1 NUMA node</source>
        <comment>{n} NUMA nodes</comment>
        <translation>
            <numerusform>1 NUMA-Knoten</numerusform>
            <numerusform>{n} NUMA-Knoten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 committer</source>
        <comment>{n} committers</comment>
        <translation>
            <numerusform>1 Committer-Thread</numerusform>
            <numerusform>{n} Committer-Threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 connection</source>
        <comment>{n} connections</comment>
        <translation>
            <numerusform>1 Verbindung</numerusform>
            <numerusform>{n} Verbindungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 core</source>
        <comment>{n} cores</comment>
        <translation>
            <numerusform>1 Kern</numerusform>
            <numerusform>{n} Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 day</source>
        <comment>{n} days</comment>
        <translation>
            <numerusform>1 Tag</numerusform>
            <numerusform>{n} Tage</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 doubtful</source>
        <comment>{n} doubtful</comment>
        <translation>
            <numerusform>1 zweifelhaft</numerusform>
            <numerusform>{n} zweifelhaft</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 file</source>
        <comment>{n} files</comment>
        <translation>
            <numerusform>1 Datei</numerusform>
            <numerusform>{n} Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 is not judged: it lacks facts.</source>
        <comment>{n} are not judged: they lack facts.</comment>
        <translation>
            <numerusform>1 ist nicht beurteilt: Dazu fehlen Fakten.</numerusform>
            <numerusform>{n} sind nicht beurteilt: Dazu fehlen Fakten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 more under Points.</source>
        <comment>{n} more under Points.</comment>
        <translation>
            <numerusform>1 weiterer unter „Punkte“.</numerusform>
            <numerusform>{n} weitere unter „Punkte“.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 more, and all the evidence</source>
        <comment>{n} more, and all the evidence</comment>
        <translation>
            <numerusform>1 weitere und alle Belege</numerusform>
            <numerusform>{n} weitere und alle Belege</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 operation in {time}</source>
        <comment>{n} operations in {time}</comment>
        <translation>
            <numerusform>1 Operation in {time}</numerusform>
            <numerusform>{n} Operationen in {time}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 page cleaner</source>
        <comment>{n} page cleaners</comment>
        <translation>
            <numerusform>1 Page-Cleaner-Thread</numerusform>
            <numerusform>{n} Page-Cleaner-Threads</numerusform>
        </translation>
    </message>
    <message>
        <source>1 picked, the baseline. Tick one more at least, and {most} in all at most.</source>
        <translation>1 gewählt, die Basis. Mindestens noch eines ankreuzen, höchstens {most} insgesamt.</translation>
    </message>
    <message numerus="yes">
        <source>1 point</source>
        <comment>{n} points</comment>
        <translation>
            <numerusform>1 Punkt</numerusform>
            <numerusform>{n} Punkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 point is doubtful</source>
        <comment>{n} points are doubtful</comment>
        <translation>
            <numerusform>1 Punkt ist zweifelhaft</numerusform>
            <numerusform>{n} Punkte sind zweifelhaft</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 point is measured so far and is kept.</source>
        <comment>{n} points are measured so far and are kept.</comment>
        <translation>
            <numerusform>1 Punkt ist bisher gemessen und bleibt erhalten.</numerusform>
            <numerusform>{n} Punkte sind bisher gemessen und bleiben erhalten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 processor</source>
        <comment>{n} processors</comment>
        <translation>
            <numerusform>1 Prozessor</numerusform>
            <numerusform>{n} Prozessoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 reader</source>
        <comment>{n} readers</comment>
        <translation>
            <numerusform>1 Lese-Thread</numerusform>
            <numerusform>{n} Lese-Threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 rejected</source>
        <comment>{n} rejected</comment>
        <translation>
            <numerusform>1 verworfen</numerusform>
            <numerusform>{n} verworfen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 rejected, hidden</source>
        <comment>{n} rejected, hidden</comment>
        <translation>
            <numerusform>1 verworfen, verborgen</numerusform>
            <numerusform>{n} verworfen, verborgen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 row-lock wait</source>
        <comment>{n} row-lock waits</comment>
        <translation>
            <numerusform>1 wartet auf Row Lock</numerusform>
            <numerusform>{n} warten auf Row Locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 run goes on or waits.</source>
        <comment>{n} runs go on or wait.</comment>
        <translation>
            <numerusform>1 Lauf ist im Gang oder wartet.</numerusform>
            <numerusform>{n} Läufe sind im Gang oder warten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 seen on other systems</source>
        <comment>{n} seen on other systems</comment>
        <translation>
            <numerusform>1 von anderen Systemen</numerusform>
            <numerusform>{n} von anderen Systemen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 socket</source>
        <comment>{n} sockets</comment>
        <translation>
            <numerusform>1 Sockel</numerusform>
            <numerusform>{n} Sockel</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 thread</source>
        <comment>{n} threads</comment>
        <translation>
            <numerusform>1 Thread</numerusform>
            <numerusform>{n} Threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 thread running</source>
        <comment>{n} threads running</comment>
        <translation>
            <numerusform>1 Thread aktiv</numerusform>
            <numerusform>{n} Threads aktiv</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>1 without a histogram</source>
        <comment>{n} without a histogram</comment>
        <translation>
            <numerusform>1 ohne Histogramm</numerusform>
            <numerusform>{n} ohne Histogramm</numerusform>
        </translation>
    </message>
    <message>
        <source>1: synced at commit</source>
        <translation>1: Sync bei jedem Commit</translation>
    </message>
    <message>
        <source>2: synced each second</source>
        <translation>2: Sync jede Sekunde</translation>
    </message>
    <message>
        <source>A MySQL server &amp;runs there</source>
        <translation>Dort läuft ein MySQL-S&amp;erver</translation>
    </message>
    <message>
        <source>A batch</source>
        <translation>Ein Batch</translation>
    </message>
    <message>
        <source>A bench goes on, between two of its turns.</source>
        <translation>Ein Vergleichslauf ist im Gang, zwischen zwei Messungen.</translation>
    </message>
    <message>
        <source>A bench goes on, now on {target}, {left} left.</source>
        <translation>Ein Vergleichslauf ist im Gang, gerade auf {target}, noch {left}.</translation>
    </message>
    <message>
        <source>A bench goes on, now on {target}.</source>
        <translation>Ein Vergleichslauf ist im Gang, gerade auf {target}.</translation>
    </message>
    <message>
        <source>A directory on the drive</source>
        <translation>Verzeichnis auf dem Laufwerk</translation>
    </message>
    <message>
        <source>A long write that finds caches and throttles. It wears the drive: give it a budget.</source>
        <translation>Ein langes Schreiben, das Caches und Drosselung findet. Es nutzt das Laufwerk ab: ein Budget setzen.</translation>
    </message>
    <message>
        <source>A machine over &amp;SSH</source>
        <translation>Rechner über &amp;SSH</translation>
    </message>
    <message>
        <source>A query then</source>
        <translation>Abfrage dann</translation>
    </message>
    <message>
        <source>A query today</source>
        <translation>Abfrage heute</translation>
    </message>
    <message>
        <source>A report for a client (Ctrl+P)</source>
        <translation>Bericht für Kunden (Strg+P)</translation>
    </message>
    <message>
        <source>A report for a client: its pages, PDF or HTML</source>
        <translation>Bericht für Kunden: Seitenansicht, PDF oder HTML</translation>
    </message>
    <message>
        <source>A throwaway server needs the server&apos;s machine, and only MySQL can be reached here.</source>
        <translation>Ein Wegwerf-Server braucht den Rechner des Servers, und hier ist nur MySQL erreichbar.</translation>
    </message>
    <message>
        <source>A throwaway {server}</source>
        <translation>Ein Wegwerf-Server {server}</translation>
    </message>
    <message>
        <source>A watch looks at a running server for 30 seconds: what it reads, writes and syncs, how long each call takes, and what the disk does meanwhile. It adds no load, changes no setting and writes nothing.</source>
        <translation>Eine Beobachtung sieht einem laufenden Server 30 Sekunden lang zu: was er liest, schreibt und synchronisiert, wie lange jeder Aufruf dauert, und was die Disk dabei tut. Das erzeugt keine Last, ändert keine Einstellung und schreibt nichts.</translation>
    </message>
    <message>
        <source>A watch measures no curve</source>
        <translation>Eine Beobachtung misst keine Kurve</translation>
    </message>
    <message>
        <source>Abo&amp;ut this rule</source>
        <translation>&amp;Über diese Regel</translation>
    </message>
    <message>
        <source>About Leadline</source>
        <translation>Über Leadline</translation>
    </message>
    <message>
        <source>About this rule</source>
        <translation>Über diese Regel</translation>
    </message>
    <message>
        <source>Action, page, run or rule</source>
        <translation>Aktion, Seite, Lauf oder Regel</translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation>Server hinzufügen…</translation>
    </message>
    <message>
        <source>Add a target</source>
        <translation>Ziel hinzufügen</translation>
    </message>
    <message>
        <source>Add a target (Ctrl+N)</source>
        <translation>Ziel hinzufügen (Strg+N)</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Empfehlungen</translation>
    </message>
    <message>
        <source>Advice and files</source>
        <translation>Empfehlungen und Dateien</translation>
    </message>
    <message>
        <source>Advice comes with its evidence: measured points, the server&apos;s settings, and what each change is worth. Watching a running server needs 30 s and adds no load; probing its storage settles what that leaves open.</source>
        <translation>Empfehlungen kommen mit ihren Belegen: gemessenen Punkten, den Einstellungen des Servers und dem, was jede Änderung wert ist. Einem laufenden Server zuzusehen braucht 30 s und belastet ihn nicht; seinen Speicher zu messen klärt, was danach offen ist.</translation>
    </message>
    <message>
        <source>Advice follows the run</source>
        <translation>Empfehlungen folgen nach dem Lauf</translation>
    </message>
    <message>
        <source>Advice on InnoDB&apos;s settings and the kernel&apos;s, what brings most first, each with its evidence and the way back.</source>
        <translation>Empfehlungen zu InnoDB und Kernel, das Wirksamste zuerst, jede mit Belegen und Rückweg.</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All advice with its evidence</source>
        <translation>Alle Empfehlungen mit Belegen</translation>
    </message>
    <message>
        <source>All as now</source>
        <translation>Alles wie jetzt</translation>
    </message>
    <message>
        <source>All points</source>
        <translation>Alle Punkte</translation>
    </message>
    <message>
        <source>All projects</source>
        <translation>Alle Projekte</translation>
    </message>
    <message>
        <source>All that the advice needs: storage, redo log, page flushing and primary-key lookups.</source>
        <translation>Alles, was Empfehlungen brauchen: Laufwerk, Redo-Log, Flushing und Primärschlüssel-Lookups.</translation>
    </message>
    <message>
        <source>All topics</source>
        <translation>Alle Themen</translation>
    </message>
    <message>
        <source>Also turned: {what}</source>
        <translation>Ebenfalls gestellt: {what}</translation>
    </message>
    <message>
        <source>Alt</source>
        <translation>Alt</translation>
    </message>
    <message>
        <source>An engine can&apos;t check itself.</source>
        <translation>Eine Engine kann sich nicht selbst prüfen.</translation>
    </message>
    <message>
        <source>An import has curves, and no server</source>
        <translation>Ein Import hat Kurven, aber keinen Server</translation>
    </message>
    <message>
        <source>Another one</source>
        <translation>Ein anderer</translation>
    </message>
    <message>
        <source>Another version</source>
        <translation>Andere Version</translation>
    </message>
    <message>
        <source>Appea&amp;rance</source>
        <translation>&amp;Darstellung</translation>
    </message>
    <message>
        <source>April</source>
        <translation>April</translation>
    </message>
    <message>
        <source>As fast or faster</source>
        <translation>So schnell oder schneller</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>At a time</source>
        <translation>Gleichzeitig</translation>
    </message>
    <message>
        <source>At each curve&apos;s peak</source>
        <translation>Am Maximum jeder Kurve</translation>
    </message>
    <message>
        <source>At {place}</source>
        <translation>Bei {place}</translation>
    </message>
    <message>
        <source>August</source>
        <translation>August</translation>
    </message>
    <message>
        <source>Axis or part</source>
        <translation>Achse oder Teil</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back (Backspace)</source>
        <translation>Zurück (Rücktaste)</translation>
    </message>
    <message>
        <source>Back to all points</source>
        <translation>Zurück zu allen Punkten</translation>
    </message>
    <message>
        <source>Background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Rücktaste</translation>
    </message>
    <message>
        <source>Baseline of the ratios</source>
        <translation>Basis der Verhältnisse</translation>
    </message>
    <message>
        <source>Baseline: {name}</source>
        <translation>Basis: {name}</translation>
    </message>
    <message>
        <source>Batches of dirty pages, with and without doublewrite.</source>
        <translation>Batches von Dirty Pages, mit und ohne Doublewrite.</translation>
    </message>
    <message>
        <source>Bench directories</source>
        <translation>Verzeichnisse vergleichen</translation>
    </message>
    <message>
        <source>Bench directories in turn, and compare them</source>
        <translation>Verzeichnisse reihum messen und vergleichen</translation>
    </message>
    <message>
        <source>Bench directories…</source>
        <translation>Verzeichnisse vergleichen…</translation>
    </message>
    <message>
        <source>Beside</source>
        <translation>Daneben</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Am besten</translation>
    </message>
    <message>
        <source>Binary log</source>
        <translation>Binlog</translation>
    </message>
    <message>
        <source>Block size</source>
        <translation>Blockgröße</translation>
    </message>
    <message>
        <source>Block sizes</source>
        <translation>Blockgrößen</translation>
    </message>
    <message>
        <source>Buffer pool</source>
        <translation>Buffer Pool</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Busy</translation>
    </message>
    <message>
        <source>By block size</source>
        <translation>Nach Blockgröße</translation>
    </message>
    <message>
        <source>By committers</source>
        <translation>Nach Committer-Threads</translation>
    </message>
    <message>
        <source>By connections</source>
        <translation>Nach Verbindungen</translation>
    </message>
    <message>
        <source>By page cleaners</source>
        <translation>Nach Page-Cleaner-Threads</translation>
    </message>
    <message>
        <source>By readers</source>
        <translation>Nach Lese-Threads</translation>
    </message>
    <message>
        <source>By threads</source>
        <translation>Nach Threads</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Bytes per second</source>
        <translation>Bytes pro Sekunde</translation>
    </message>
    <message>
        <source>C&amp;hosen probes</source>
        <translation>A&amp;usgewählte Messungen</translation>
    </message>
    <message>
        <source>CA file</source>
        <translation>CA-Datei</translation>
    </message>
    <message>
        <source>CPU per operation</source>
        <translation>CPU pro Operation</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV-Tabelle</translation>
    </message>
    <message>
        <source>Calls per second</source>
        <translation>Aufrufe pro Sekunde</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message numerus="yes">
        <source>Cancelled after 1 point, which is kept.</source>
        <comment>Cancelled after {n} points, which are kept.</comment>
        <translation>
            <numerusform>Abgebrochen nach 1 Punkt, der erhalten bleibt.</numerusform>
            <numerusform>Abgebrochen nach {n} Punkten, die erhalten bleiben.</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled before the first point.</source>
        <translation>Abgebrochen vor dem ersten Punkt.</translation>
    </message>
    <message>
        <source>Case to be judged elsewhere</source>
        <translation>Fall zur Beurteilung anderswo</translation>
    </message>
    <message>
        <source>Change plan</source>
        <translation>Änderungsplan</translation>
    </message>
    <message>
        <source>Change the target</source>
        <translation>Ziel ändern</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Choose a directory</source>
        <translation>Verzeichnis auswählen</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei auswählen</translation>
    </message>
    <message>
        <source>Choose a logo</source>
        <translation>Logo auswählen</translation>
    </message>
    <message>
        <source>Choose a run on the Advice page first.</source>
        <translation>Zuerst auf der Seite „Empfehlungen“ einen Lauf wählen.</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>Einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>Einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>Choose another one for the cross-check, or none.</source>
        <translation>Für die Gegenprobe eine andere wählen oder keine.</translation>
    </message>
    <message>
        <source>Choose at least one for the lookups.</source>
        <translation>Mindestens eines für die Lookups wählen.</translation>
    </message>
    <message>
        <source>Choose at least one probe.</source>
        <translation>Mindestens eine Messung wählen.</translation>
    </message>
    <message>
        <source>Choose axes and points</source>
        <translation>Achsen und Punkte wählen</translation>
    </message>
    <message>
        <source>Choose others…</source>
        <translation>Andere wählen…</translation>
    </message>
    <message>
        <source>Choose the directory to measure</source>
        <translation>Zu messendes Verzeichnis auswählen</translation>
    </message>
    <message>
        <source>Choose the logo&apos;s file</source>
        <translation>Datei des Logos auswählen</translation>
    </message>
    <message>
        <source>Choose what to compare: runs, imports and published tables.</source>
        <translation>Auswählen, was verglichen wird: Läufe, Importe und veröffentlichte Tabellen.</translation>
    </message>
    <message>
        <source>Chosen by the plan</source>
        <translation>Vom Plan bestimmt</translation>
    </message>
    <message>
        <source>Chosen probes measure a whole plan.</source>
        <translation>Ausgewählte Messungen brauchen einen ganzen Plan.</translation>
    </message>
    <message>
        <source>Clear a search; leave this page, a list or a dialog</source>
        <translation>Eine Suche leeren; diese Seite, eine Liste oder einen Dialog verlassen</translation>
    </message>
    <message>
        <source>Clear the search and show all</source>
        <translation>Suche leeren und alles zeigen</translation>
    </message>
    <message>
        <source>Clients&apos; think time</source>
        <translation>Think Time der Clients</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Meldung schließen</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>Hinweis schließen</translation>
    </message>
    <message>
        <source>Commits per sync</source>
        <translation>Commits pro Sync</translation>
    </message>
    <message>
        <source>Committers</source>
        <translation>Committer-Threads</translation>
    </message>
    <message>
        <source>Comparable</source>
        <translation>Vergleichbar</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare {number}</source>
        <translation>{number} vergleichen</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Vergleichen…</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Wird verglichen</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Connected.</source>
        <translation>Verbunden.</translation>
    </message>
    <message>
        <source>Connecting to {target}.</source>
        <translation>Verbindung mit {target} wird aufgebaut.</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Context switches</source>
        <translation>Kontextwechsel</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copied as {form}: {plan}</source>
        <translation>Kopiert als {form}: {plan}</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the change plan</source>
        <translation>Änderungsplan kopieren</translation>
    </message>
    <message>
        <source>Copy {what}</source>
        <translation>{what} kopieren</translation>
    </message>
    <message>
        <source>Copy: {text}</source>
        <translation>Kopieren: {text}</translation>
    </message>
    <message>
        <source>Course of the point that is being measured</source>
        <translation>Verlauf des Punkts, der gerade gemessen wird</translation>
    </message>
    <message>
        <source>Cross-check</source>
        <translation>Gegenprobe</translation>
    </message>
    <message>
        <source>Ctrl+.</source>
        <translation>Strg+.</translation>
    </message>
    <message>
        <source>Ctrl+1 to Ctrl+6</source>
        <translation>Strg+1 bis Strg+6</translation>
    </message>
    <message>
        <source>Ctrl+B</source>
        <translation>Strg+B</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Strg+E</translation>
    </message>
    <message>
        <source>Ctrl+F</source>
        <translation>Strg+F</translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation>Strg+I</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Strg+K</translation>
    </message>
    <message>
        <source>Ctrl+N</source>
        <translation>Strg+N</translation>
    </message>
    <message>
        <source>Ctrl+P</source>
        <translation>Strg+P</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Strg+R</translation>
    </message>
    <message>
        <source>Ctrl+Shift+B</source>
        <translation>Strg+Umschalt+B</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Strg+Umschalt+C</translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation>Strg+Umschalt+E</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F</source>
        <translation>Strg+Umschalt+F</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Strg+Umschalt+R</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Strg+Z</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Curves in common</source>
        <translation>Gemeinsame Kurven</translation>
    </message>
    <message>
        <source>Curves, ratios, or under a server</source>
        <translation>Kurven, Verhältnisse oder unter einem Server</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>December</source>
        <translation>Dezember</translation>
    </message>
    <message>
        <source>Decided so far</source>
        <translation>Bisher entschieden</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Delete the chosen run or target</source>
        <translation>Den ausgewählten Lauf oder das Ziel löschen</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Device and processors</source>
        <translation>Gerät und Prozessoren</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Directories of the bench</source>
        <translation>Verzeichnisse des Vergleichs</translation>
    </message>
    <message>
        <source>Directory</source>
        <translation>Verzeichnis</translation>
    </message>
    <message numerus="yes">
        <source>Disk</source>
        <comment>{n} disks</comment>
        <translation>
            <numerusform>Disk</numerusform>
            <numerusform>{n} Disks</numerusform>
        </translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Disk</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>Anzeige</translation>
    </message>
    <message>
        <source>Don&apos;t connect</source>
        <translation>Nicht verbinden</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>Done: {what}</source>
        <translation>Erledigt: {what}</translation>
    </message>
    <message>
        <source>Doublewrite</source>
        <translation>Doublewrite</translation>
    </message>
    <message>
        <source>Doubtful and rejected points</source>
        <translation>Zweifelhafte und verworfene Punkte</translation>
    </message>
    <message>
        <source>Drive</source>
        <translation>Laufwerk</translation>
    </message>
    <message>
        <source>Drives in a stripe</source>
        <translation>Laufwerke im Stripe</translation>
    </message>
    <message>
        <source>Drives under the server</source>
        <translation>Laufwerke unter dem Server</translation>
    </message>
    <message>
        <source>Each directory is measured in turn with the same plan and files of the same size: A B C, then C B A. Two to twelve, a line for each; NAME:/DIR is on a saved target.</source>
        <translation>Die Verzeichnisse werden reihum mit demselben Plan und gleich großen Dateien gemessen: A B C, dann C B A. Zwei bis zwölf, je eine Zeile; NAME:/VERZEICHNIS liegt auf einem gespeicherten Ziel.</translation>
    </message>
    <message>
        <source>Each for a reason of its own</source>
        <translation>Jede aus einem eigenen Grund</translation>
    </message>
    <message>
        <source>Each request from entry to exit, as traced in the kernel, in slices: {share} of the time.</source>
        <translation>Jede Anfrage von Anfang bis Ende, im Kernel aufgezeichnet, in Abschnitten: {share} der Zeit.</translation>
    </message>
    <message>
        <source>Each request from entry to exit, as traced in the kernel.</source>
        <translation>Jede Anfrage von Anfang bis Ende, im Kernel aufgezeichnet.</translation>
    </message>
    <message>
        <source>Each takes (mean)</source>
        <translation>Dauer je Aufruf (Mittel)</translation>
    </message>
    <message>
        <source>End its name in .png, .svg or .csv.</source>
        <translation>Den Namen auf .png, .svg oder .csv enden lassen.</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Enter a name or an address.</source>
        <translation>Einen Namen oder eine Adresse eingeben.</translation>
    </message>
    <message>
        <source>Enter a name, an address, or a Host of ~/.ssh/config.</source>
        <translation>Einen Namen, eine Adresse oder einen Host aus ~/.ssh/config eingeben.</translation>
    </message>
    <message>
        <source>Enter a number from 1 to 65535.</source>
        <translation>Eine Zahl von 1 bis 65535 eingeben.</translation>
    </message>
    <message>
        <source>Enter its path on the target.</source>
        <translation>Seinen Pfad auf dem Ziel eingeben.</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Every page with a real MySQL server&apos;s check and watch; no server is needed</source>
        <translation>Alle Seiten mit Check und Beobachtung eines echten MySQL-Servers; ein eigener Server ist nicht nötig</translation>
    </message>
    <message>
        <source>Every question with the facts that it takes is decided.</source>
        <translation>Jede Frage, zu der die nötigen Fakten vorliegen, ist entschieden.</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Export the ad&amp;vice or the case…</source>
        <translation>Empfehlungen oder &amp;Fall exportieren…</translation>
    </message>
    <message>
        <source>Export the advice</source>
        <translation>Empfehlungen exportieren</translation>
    </message>
    <message>
        <source>Export the case</source>
        <translation>Fall exportieren</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>F5</source>
        <translation>F5</translation>
    </message>
    <message>
        <source>Facts and points</source>
        <translation>Fakten und Punkte</translation>
    </message>
    <message>
        <source>February</source>
        <translation>Februar</translation>
    </message>
    <message>
        <source>Figures by role</source>
        <translation>Werte nach Rolle</translation>
    </message>
    <message>
        <source>Figures of all curves at the cursor</source>
        <translation>Werte aller Kurven am Cursor</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>File I/O by role</source>
        <translation>Datei-I/O nach Rolle</translation>
    </message>
    <message>
        <source>File I/O over time</source>
        <translation>Datei-I/O im Zeitverlauf</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Files that the time goes to</source>
        <translation>Dateien, in die die Zeit geht</translation>
    </message>
    <message>
        <source>Filesystem</source>
        <translation>Dateisystem</translation>
    </message>
    <message>
        <source>Filesystem, file size, block size, fill level and engine are alike.</source>
        <translation>Dateisystem, Dateigröße, Blockgröße, Füllstand und Engine sind gleich.</translation>
    </message>
    <message>
        <source>Filling {what}: {share}</source>
        <translation>Füllen von {what}: {share}</translation>
    </message>
    <message>
        <source>Finds from how many threads on more only wait. Aims at ±5 % for each point, and stops after 1.2 s.</source>
        <translation>Findet, ab wie vielen Threads weitere nur noch warten. Ziel ist ±5 % für jeden Punkt, Schluss nach 1.2 s.</translation>
    </message>
    <message>
        <source>Fine</source>
        <translation>In Ordnung</translation>
    </message>
    <message>
        <source>Fine as it is</source>
        <translation>In Ordnung, wie es ist</translation>
    </message>
    <message>
        <source>Flushing asked for, pages/s</source>
        <translation>Verlangtes Flushing, pages/s</translation>
    </message>
    <message>
        <source>Flushing at full speed</source>
        <translation>Flushing mit voller Geschwindigkeit</translation>
    </message>
    <message>
        <source>Flushing {rate} pages/s</source>
        <translation>Flushing mit {rate} pages/s</translation>
    </message>
    <message>
        <source>For a cloud database whose machine can&apos;t be reached: lookups are measured from this computer, and the round trip is shown.</source>
        <translation>Für eine Cloud-Datenbank, deren Rechner nicht erreichbar ist: Lookups werden von diesem Rechner aus gemessen, die Netzwerklaufzeit wird angezeigt.</translation>
    </message>
    <message>
        <source>Forecasting what the server would do on each of the drives.</source>
        <translation>Es wird vorhergesagt, was der Server auf jedem der Laufwerke leisten würde.</translation>
    </message>
    <message>
        <source>From a watch of the server at work, Leadline forecasts what another buffer pool, drive, durability or number of connections would bring, and what would limit then.</source>
        <translation>Aus der Beobachtung des arbeitenden Servers sagt Leadline vorher, was ein anderer Buffer Pool, ein anderes Laufwerk, andere Dauerhaftigkeit oder mehr Verbindungen brächten, und was dann die Grenze wäre.</translation>
    </message>
    <message>
        <source>From the latest run under load: {when}, {run}. A later one saw no query at work.</source>
        <translation>Aus dem letzten Lauf unter Last: {when}, {run}. Ein späterer sah keine Abfrage arbeiten.</translation>
    </message>
    <message>
        <source>From the latest run: {when}, {run}.</source>
        <translation>Letzter Lauf: {when}, {run}.</translation>
    </message>
    <message>
        <source>Go from curve to curve at the cursor</source>
        <translation>Am Cursor von Kurve zu Kurve gehen</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>Go to any action, page, run or rule by its name</source>
        <translation>Zu Aktion, Seite, Lauf oder Regel gehen, über den Namen</translation>
    </message>
    <message>
        <source>Guard: a primary-key read takes {now} ({before} before; the limit is {limit})</source>
        <translation>Wächter: Ein Primärschlüssel-Zugriff dauert {now} (vorher {before}; die Grenze ist {limit})</translation>
    </message>
    <message>
        <source>Here stand the machine, the MySQL server, and the drive under each of its directories. Looking changes nothing there.</source>
        <translation>Hier stehen der Rechner, der MySQL-Server und das Laufwerk unter jedem seiner Verzeichnisse. Das Ansehen ändert dort nichts.</translation>
    </message>
    <message>
        <source>High &amp;contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>Highest added latency in milliseconds</source>
        <translation>Höchste zusätzliche Latenz in Millisekunden</translation>
    </message>
    <message>
        <source>Home of the target</source>
        <translation>Übersicht des Ziels</translation>
    </message>
    <message>
        <source>Home, Watch, Probe, Advice, Compare, What if</source>
        <translation>Übersicht, Beobachten, Messen, Empfehlungen, Vergleichen, Was wäre wenn</translation>
    </message>
    <message>
        <source>How fast dirty pages can be flushed, and what doublewrite costs.</source>
        <translation>Wie schnell Dirty Pages geschrieben werden können, und was Doublewrite kostet.</translation>
    </message>
    <message>
        <source>How many calls are under way at a time: rate times latency</source>
        <translation>Wie viele Aufrufe gleichzeitig laufen: Rate mal Latenz</translation>
    </message>
    <message>
        <source>How many page reads and writes the drive takes, how long each waits, and from how many at once more only wait.</source>
        <translation>Wie viele Seitenzugriffe das Laufwerk schafft, wie lange jeder wartet, und ab wie vielen zugleich weitere nur noch warten.</translation>
    </message>
    <message>
        <source>How much of the bench is over</source>
        <translation>Wie viel vom Vergleich erledigt ist</translation>
    </message>
    <message>
        <source>How much of the drive the server itself can use.</source>
        <translation>Wie viel vom Laufwerk der Server selbst nutzen kann.</translation>
    </message>
    <message>
        <source>Huge pages</source>
        <translation>Huge Pages</translation>
    </message>
    <message>
        <source>I agree that Leadline makes the schema leadline_probe on this server, fills one table in it and drops it at the end.</source>
        <translation>Einverstanden: Leadline legt auf diesem Server das Schema leadline_probe an, füllt darin eine Tabelle und löscht es am Ende.</translation>
    </message>
    <message>
        <source>I/O priority</source>
        <translation>I/O-Priorität</translation>
    </message>
    <message>
        <source>Identity file</source>
        <translation>Schlüsseldatei</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Import a file…</source>
        <translation>Datei importieren…</translation>
    </message>
    <message>
        <source>Import files of fio, sysbench or iostat, and cases; or drop them here</source>
        <translation>Dateien von fio, sysbench oder iostat und Fälle importieren; oder hierher ziehen</translation>
    </message>
    <message>
        <source>Import measurements of fio, sysbench, iostat or CSV, and cases of Leadline</source>
        <translation>Messungen von fio, sysbench, iostat oder CSV und Fälle von Leadline importieren</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>Importiert</translation>
    </message>
    <message>
        <source>In a chart</source>
        <translation>Im Diagramm</translation>
    </message>
    <message>
        <source>Instance class</source>
        <translation>Instanzklasse</translation>
    </message>
    <message numerus="yes">
        <source>Interrupted after 1 point, which is kept.</source>
        <comment>Interrupted after {n} points, which are kept.</comment>
        <translation>
            <numerusform>Unterbrochen nach 1 Punkt, der erhalten bleibt.</numerusform>
            <numerusform>Unterbrochen nach {n} Punkten, die erhalten bleiben.</numerusform>
        </translation>
    </message>
    <message>
        <source>Interrupted before the first point.</source>
        <translation>Unterbrochen vor dem ersten Punkt.</translation>
    </message>
    <message>
        <source>Interval, ± %</source>
        <translation>Intervall, ± %</translation>
    </message>
    <message>
        <source>It shows what the drive means to MySQL where no server runs.</source>
        <translation>Er zeigt, was das Laufwerk für MySQL bedeutet, wo kein Server läuft.</translation>
    </message>
    <message>
        <source>Its forecast stands in the report of the run.</source>
        <translation>Seine Vorhersage steht im Bericht der Messung.</translation>
    </message>
    <message>
        <source>Its own work was not watched: gains are known only from that.</source>
        <translation>Die eigene Arbeit wurde nicht beobachtet: Gewinne sind nur daraus bekannt.</translation>
    </message>
    <message>
        <source>Its points are judged by today&apos;s rules.</source>
        <translation>Die Punkte werden nach den heutigen Regeln beurteilt.</translation>
    </message>
    <message>
        <source>Its work over time</source>
        <translation>Arbeit im Zeitverlauf</translation>
    </message>
    <message>
        <source>January</source>
        <translation>Januar</translation>
    </message>
    <message>
        <source>Judging it as that version.</source>
        <translation>Wird als diese Version beurteilt.</translation>
    </message>
    <message>
        <source>July</source>
        <translation>Juli</translation>
    </message>
    <message>
        <source>June</source>
        <translation>Juni</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep an eye on</source>
        <translation>Im Auge behalten</translation>
    </message>
    <message>
        <source>Keep measuring</source>
        <translation>Weiter messen</translation>
    </message>
    <message>
        <source>Keep sections, opening, author, logo and paper as a template</source>
        <translation>Abschnitte, Einleitung, Autor, Logo und Papier als Vorlage behalten</translation>
    </message>
    <message>
        <source>Kept as {name}, for this dialog and for --template.</source>
        <translation>Als {name} behalten, für diesen Dialog und für --template.</translation>
    </message>
    <message>
        <source>Kept in memory until Leadline ends, and nowhere else.</source>
        <translation>Bleibt nur im Arbeitsspeicher, bis Leadline beendet wird.</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Key of the curves</source>
        <translation>Legende der Kurven</translation>
    </message>
    <message>
        <source>Keys and licences</source>
        <translation>Tasten und Lizenzen</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>Sp&amp;rache</translation>
    </message>
    <message>
        <source>Latencies as a heat map</source>
        <translation>Latenzen als Heatmap</translation>
    </message>
    <message>
        <source>Latencies over time</source>
        <translation>Latenzen im Zeitverlauf</translation>
    </message>
    <message>
        <source>Latencies over time as a heat map</source>
        <translation>Latenzen im Zeitverlauf als Heatmap</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Latency map</source>
        <translation>Latenzkarte</translation>
    </message>
    <message>
        <source>Latency of a batch</source>
        <translation>Latenz eines Batches</translation>
    </message>
    <message>
        <source>Latency of the canary against its limit</source>
        <translation>Latenz der Wächterabfrage gegen ihre Grenze</translation>
    </message>
    <message>
        <source>Laying out the pages</source>
        <translation>Seiten werden aufbereitet</translation>
    </message>
    <message>
        <source>Leadline connects to make the plan: files, bytes, seconds and commands.</source>
        <translation>Für den Plan verbindet sich Leadline: Dateien, Bytes, Sekunden und Befehle.</translation>
    </message>
    <message>
        <source>Leadline speaks it when it starts again.</source>
        <translation>Gilt ab dem nächsten Start von Leadline.</translation>
    </message>
    <message>
        <source>Leadline {version}: everything works by keyboard.</source>
        <translation>Leadline {version}: Alles geht mit der Tastatur.</translation>
    </message>
    <message>
        <source>Leadline&apos;s own</source>
        <translation>Leadline</translation>
    </message>
    <message>
        <source>Leave out hosts and accounts</source>
        <translation>Hosts und Konten weglassen</translation>
    </message>
    <message>
        <source>Left out of the plan</source>
        <translation>Nicht im Plan</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Links, Rechts</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Limited by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>Lists, comparisons and reports use the name; a search finds all of it.</source>
        <translation>Listen, Vergleiche und Berichte zeigen den Namen; die Suche alles.</translation>
    </message>
    <message>
        <source>Log fsyncs</source>
        <translation>Log-Fsyncs</translation>
    </message>
    <message>
        <source>Logarithmic &amp;rate</source>
        <translation>&amp;Rate logarithmisch</translation>
    </message>
    <message>
        <source>Longest &amp;time</source>
        <translation>Längste &amp;Dauer</translation>
    </message>
    <message>
        <source>Longest time</source>
        <translation>Längste Dauer</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Erneut ansehen</translation>
    </message>
    <message>
        <source>Look at the target again</source>
        <translation>Ziel erneut ansehen</translation>
    </message>
    <message>
        <source>Look at them</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>Look at this target</source>
        <translation>Dieses Ziel ansehen</translation>
    </message>
    <message>
        <source>Looking</source>
        <translation>Wird angesehen</translation>
    </message>
    <message>
        <source>Looking at the directories before anything is measured.</source>
        <translation>Vor der Messung werden die Verzeichnisse angesehen.</translation>
    </message>
    <message>
        <source>Lookups by</source>
        <translation>Lookups über</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Niedrig</translation>
    </message>
    <message>
        <source>M&amp;ySQL host</source>
        <translation>M&amp;ySQL-Host</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Machine and settings</source>
        <translation>Rechner und Einstellungen</translation>
    </message>
    <message>
        <source>Making the plan.</source>
        <translation>Der Plan wird erstellt.</translation>
    </message>
    <message>
        <source>March</source>
        <translation>März</translation>
    </message>
    <message>
        <source>MariaDB server</source>
        <translation>MariaDB-Server</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>May</source>
        <translation>Mai</translation>
    </message>
    <message>
        <source>Mean time</source>
        <translation>Mittlere Zeit</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Measure &amp;updates of single rows, too</source>
        <translation>Auch U&amp;pdates einzelner Zeilen messen</translation>
    </message>
    <message>
        <source>Measure again when the load or the machine has changed.</source>
        <translation>Erneut messen, wenn sich Last oder Rechner geändert haben.</translation>
    </message>
    <message>
        <source>Measure all that advice needs, or choose quick, standard or thorough.</source>
        <translation>Alles messen, was Empfehlungen brauchen, oder Schnell, Standard oder Gründlich wählen.</translation>
    </message>
    <message>
        <source>Measure every level</source>
        <translation>Jede Stufe messen</translation>
    </message>
    <message>
        <source>Measure them in turn (Ctrl+Shift+B)</source>
        <translation>Reihum messen (Strg+Umschalt+B)</translation>
    </message>
    <message>
        <source>Measure what is open</source>
        <translation>Offenes messen</translation>
    </message>
    <message>
        <source>Measure {what}: how many requests it takes, and how long each waits.</source>
        <translation>{what} messen: wie viele Anfragen zu schaffen sind, und wie lange jede wartet.</translation>
    </message>
    <message>
        <source>Measure {what}: up to {points} in about {time}.</source>
        <translation>{what} messen: bis zu {points} in etwa {time}.</translation>
    </message>
    <message>
        <source>Measure {what}: {points} in about {time}.</source>
        <translation>{what} messen: {points} in etwa {time}.</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Measured beside the server&apos;s own load: an idle drive gives more.</source>
        <translation>Gemessen neben der eigenen Last des Servers: Ein unbelastetes Laufwerk gibt mehr.</translation>
    </message>
    <message>
        <source>Measured points</source>
        <translation>Gemessene Punkte</translation>
    </message>
    <message numerus="yes">
        <source>Measured well so far: the only point is sound</source>
        <comment>Measured well so far: all {n} points are sound</comment>
        <translation>
            <numerusform>Bisher gut gemessen: der einzige Punkt ist verlässlich</numerusform>
            <numerusform>Bisher gut gemessen: alle {n} Punkte sind verlässlich</numerusform>
        </translation>
    </message>
    <message>
        <source>Measured well so far: {sound} of {number} points are sound</source>
        <translation>Bisher gut gemessen: {sound} von {number} Punkten sind verlässlich</translation>
    </message>
    <message numerus="yes">
        <source>Measured well: the only point is sound</source>
        <comment>Measured well: all {n} points are sound</comment>
        <translation>
            <numerusform>Gut gemessen: der einzige Punkt ist verlässlich</numerusform>
            <numerusform>Gut gemessen: alle {n} Punkte sind verlässlich</numerusform>
        </translation>
    </message>
    <message>
        <source>Measured well: {sound} of {number} points are sound</source>
        <translation>Gut gemessen: {sound} von {number} Punkten sind verlässlich</translation>
    </message>
    <message numerus="yes">
        <source>Measured with 1 thread</source>
        <comment>Measured with {n} threads</comment>
        <translation>
            <numerusform>Gemessen mit 1 Thread</numerusform>
            <numerusform>Gemessen mit {n} Threads</numerusform>
        </translation>
    </message>
    <message>
        <source>Measured {count} times: the figures are of all, the samples of one of them.</source>
        <translation>{count}-mal gemessen: Die Zahlen sind die aller, die Stichproben die einer davon.</translation>
    </message>
    <message>
        <source>Measures the machine&apos;s drives, and its MySQL server when there is one.</source>
        <translation>Misst die Laufwerke des Rechners und seinen MySQL-Server, falls vorhanden.</translation>
    </message>
    <message>
        <source>Measures this computer&apos;s drives and a MySQL server that runs here.</source>
        <translation>Misst die Laufwerke dieses Rechners und einen MySQL-Server, der hier läuft.</translation>
    </message>
    <message>
        <source>Measures what settles most of the open questions, and ends when all that matters is decided. A longest time, below, is its budget.</source>
        <translation>Misst, was die meisten offenen Fragen klärt, und endet, wenn alles Wichtige entschieden ist. Die längste Dauer weiter unten ist das Budget.</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Minor</source>
        <translation>Geringfügig</translation>
    </message>
    <message>
        <source>Misses of larger buffer pools</source>
        <translation>Fehlzugriffe größerer Buffer Pools</translation>
    </message>
    <message>
        <source>Mixed load</source>
        <translation>Gemischte Last</translation>
    </message>
    <message>
        <source>More levels and sizes. Aims at ±3 % for each point, and stops after 4.8 s.</source>
        <translation>Mehr Stufen und Größen. Ziel ist ±3 % für jeden Punkt, Schluss nach 4.8 s.</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Weitere Einstellungen</translation>
    </message>
    <message>
        <source>Most &amp;written</source>
        <translation>Höchstens &amp;schreiben</translation>
    </message>
    <message>
        <source>Most rea&amp;d</source>
        <translation>Höchstens &amp;lesen</translation>
    </message>
    <message>
        <source>Most read</source>
        <translation>Höchstens lesen</translation>
    </message>
    <message>
        <source>Most w&amp;ear, %</source>
        <translation>Höchster V&amp;erschleiß, %</translation>
    </message>
    <message>
        <source>Most wear in percent</source>
        <translation>Höchster Verschleiß in Prozent</translation>
    </message>
    <message>
        <source>Most written</source>
        <translation>Höchstens schreiben</translation>
    </message>
    <message>
        <source>Move the cursor from point to point</source>
        <translation>Cursor von Punkt zu Punkt bewegen</translation>
    </message>
    <message>
        <source>MySQL &amp;alone</source>
        <translation>MySQL &amp;allein</translation>
    </message>
    <message>
        <source>MySQL here</source>
        <translation>MySQL hier</translation>
    </message>
    <message>
        <source>MySQL host</source>
        <translation>MySQL-Host</translation>
    </message>
    <message>
        <source>MySQL on &amp;this computer</source>
        <translation>MySQL auf diesem &amp;Rechner</translation>
    </message>
    <message>
        <source>MySQL port</source>
        <translation>MySQL-Port</translation>
    </message>
    <message>
        <source>MySQL server</source>
        <translation>MySQL-Server</translation>
    </message>
    <message>
        <source>MySQL us&amp;er</source>
        <translation>MySQL-Ben&amp;utzer</translation>
    </message>
    <message>
        <source>MySQL user</source>
        <translation>MySQL-Benutzer</translation>
    </message>
    <message>
        <source>N&amp;otes</source>
        <translation>N&amp;otizen</translation>
    </message>
    <message>
        <source>NVMe, new firmware</source>
        <translation>NVMe, neue Firmware</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name in the list</source>
        <translation>Name in der Liste</translation>
    </message>
    <message>
        <source>Name the chosen run</source>
        <translation>Gewählten Lauf benennen</translation>
    </message>
    <message>
        <source>Name the run</source>
        <translation>Lauf benennen</translation>
    </message>
    <message>
        <source>Network round trip</source>
        <translation>Netzwerklaufzeit</translation>
    </message>
    <message>
        <source>No MySQL server that lets this account in without a password was found here.</source>
        <translation>Hier wurde kein MySQL-Server gefunden, der dieses Konto ohne Passwort einlässt.</translation>
    </message>
    <message>
        <source>No advice yet</source>
        <translation>Noch keine Empfehlungen</translation>
    </message>
    <message>
        <source>No curve was measured by two of them: nothing can be laid over each other.</source>
        <translation>Keine Kurve wurde von zweien gemessen: Nichts lässt sich übereinanderlegen.</translation>
    </message>
    <message>
        <source>No directory of this target could be followed.</source>
        <translation>Kein Verzeichnis dieses Ziels ließ sich verfolgen.</translation>
    </message>
    <message>
        <source>No live server is known on this target, so there is nothing to guard.</source>
        <translation>Auf diesem Ziel ist kein Live-Server bekannt, also gibt es nichts zu schützen.</translation>
    </message>
    <message>
        <source>No point was measured</source>
        <translation>Kein Punkt wurde gemessen</translation>
    </message>
    <message>
        <source>No protocol is chosen.</source>
        <translation>Es ist kein Protokoll gewählt.</translation>
    </message>
    <message>
        <source>No ratio of {names}: no level in common.</source>
        <translation>Kein Verhältnis von {names}: keine gemeinsame Stufe.</translation>
    </message>
    <message>
        <source>No ratio of {names}: one side had the server&apos;s own load.</source>
        <translation>Kein Verhältnis von {names}: Eine Seite hatte Serverlast.</translation>
    </message>
    <message>
        <source>No rule matches</source>
        <translation>Keine Regel passt</translation>
    </message>
    <message>
        <source>No server to see otherwise</source>
        <translation>Kein Server, der anders zu sehen wäre</translation>
    </message>
    <message>
        <source>No server was watched in this run</source>
        <translation>In diesem Lauf wurde kein Server beobachtet</translation>
    </message>
    <message>
        <source>No server was watched yet.</source>
        <translation>Noch wurde kein Server beobachtet.</translation>
    </message>
    <message>
        <source>Nobody has confirmed its certificate on this computer. Compare the fingerprint with the server&apos;s own: openssl x509 -noout -sha256 -fingerprint -in server-cert.pem.</source>
        <translation>Sein Zertifikat wurde auf diesem Rechner noch nicht bestätigt. Den Fingerabdruck mit dem des Servers vergleichen: openssl x509 -noout -sha256 -fingerprint -in server-cert.pem.</translation>
    </message>
    <message>
        <source>Nobody has confirmed this host&apos;s key on this computer. Compare the fingerprint with one from somebody who knows the host.</source>
        <translation>Der Schlüssel dieses Hosts wurde auf diesem Rechner noch nicht bestätigt. Den Fingerabdruck mit dem einer Person vergleichen, die den Host kennt.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Not about this server</source>
        <translation>Betrifft diesen Server nicht</translation>
    </message>
    <message>
        <source>Not applicable</source>
        <translation>Nicht zutreffend</translation>
    </message>
    <message>
        <source>Not comparable as it stands</source>
        <translation>So nicht vergleichbar</translation>
    </message>
    <message>
        <source>Not judged</source>
        <translation>Nicht beurteilt</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Nicht bekannt</translation>
    </message>
    <message>
        <source>Not looked at yet</source>
        <translation>Noch nicht angesehen</translation>
    </message>
    <message>
        <source>Not watched yet</source>
        <translation>Noch nicht beobachtet</translation>
    </message>
    <message>
        <source>Nothing could be read from this target</source>
        <translation>Von diesem Ziel war nichts zu lesen</translation>
    </message>
    <message>
        <source>Nothing is chosen to be measured.</source>
        <translation>Es ist nichts zum Messen gewählt.</translation>
    </message>
    <message>
        <source>Nothing is left to measure: the next step is the change.</source>
        <translation>Was messbar ist, ist gemessen: Der nächste Schritt ist die Änderung.</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>Noch ist nichts gemessen.</translation>
    </message>
    <message>
        <source>Nothing judged</source>
        <translation>Nichts beurteilt</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Keine Treffer.</translation>
    </message>
    <message>
        <source>Nothing was measured for this role.</source>
        <translation>Für diese Rolle wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>Nothing was measured or watched here yet. A probe says what the drive gives and what to change; a watch adds no load and says what limits a running server.</source>
        <translation>Hier wurde noch nichts gemessen oder beobachtet. Eine Messung sagt, was das Laufwerk gibt und was zu ändern ist; eine Beobachtung erzeugt keine Last und sagt, was einen laufenden Server begrenzt.</translation>
    </message>
    <message>
        <source>November</source>
        <translation>November</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>October</source>
        <translation>Oktober</translation>
    </message>
    <message>
        <source>Off: whoever is on the way can read along</source>
        <translation>Aus: Wer auf der Strecke sitzt, kann mitlesen</translation>
    </message>
    <message>
        <source>Only what is chosen here, without the server&apos;s counters being watched first.</source>
        <translation>Nur was hier gewählt ist, ohne vorher die Zähler des Servers zu beobachten.</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>a file</comment>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Offen</translation>
    </message>
    <message>
        <source>Opening the run</source>
        <translation>Lauf wird geöffnet</translation>
    </message>
    <message>
        <source>Opening the run.</source>
        <translation>Lauf wird geöffnet.</translation>
    </message>
    <message>
        <source>Option &amp;file</source>
        <translation>Options&amp;datei</translation>
    </message>
    <message>
        <source>Option file</source>
        <translation>Optionsdatei</translation>
    </message>
    <message>
        <source>Other form</source>
        <translation>Weitere</translation>
    </message>
    <message>
        <source>P&amp;lan</source>
        <translation>P&amp;lan</translation>
    </message>
    <message>
        <source>PNG or SVG</source>
        <translation>PNG oder SVG</translation>
    </message>
    <message>
        <source>PNG picture</source>
        <translation>PNG-Bild</translation>
    </message>
    <message>
        <source>Page Up, Page Down</source>
        <translation>Bild auf, Bild ab</translation>
    </message>
    <message>
        <source>Page cleaners</source>
        <translation>Page-Cleaner-Threads</translation>
    </message>
    <message>
        <source>Page flushing</source>
        <translation>Flushing</translation>
    </message>
    <message>
        <source>Page size</source>
        <translation>Seitengröße</translation>
    </message>
    <message>
        <source>Page {number} of {count}</source>
        <translation>Seite {number} von {count}</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Pages and targets</source>
        <translation>Seiten und Ziele</translation>
    </message>
    <message>
        <source>Pages of the report</source>
        <translation>Seiten des Berichts</translation>
    </message>
    <message>
        <source>Pages read</source>
        <translation>Gelesene Seiten</translation>
    </message>
    <message>
        <source>Pages written</source>
        <translation>Geschriebene Seiten</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>Papier</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Password for {account}</source>
        <translation>Passwort für {account}</translation>
    </message>
    <message>
        <source>Passwords and other secrets are left out. Addresses may be named where something failed.</source>
        <translation>Passwörter und andere Geheimnisse sind weggelassen. Wo etwas fehlgeschlagen ist, können Adressen genannt sein.</translation>
    </message>
    <message>
        <source>Passwords are asked for when they are needed, and never kept in the list.</source>
        <translation>Passwörter werden erfragt, wenn sie gebraucht werden, und nie in der Liste gespeichert.</translation>
    </message>
    <message>
        <source>Picked</source>
        <translation>Ausgewählt</translation>
    </message>
    <message>
        <source>Pictures (*.png *.svg)</source>
        <translation>Bilder (*.png *.svg)</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>Plattform</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Prepared</source>
        <translation>Prepared</translation>
    </message>
    <message>
        <source>Preparing {what}</source>
        <translation>Vorbereitung: {what}</translation>
    </message>
    <message>
        <source>Price of {drive}</source>
        <translation>Preis von {drive}</translation>
    </message>
    <message>
        <source>Price per 1,000/s</source>
        <translation>Preis pro 1,000/s</translation>
    </message>
    <message>
        <source>Prices</source>
        <translation>Preise</translation>
    </message>
    <message>
        <source>Prices…</source>
        <translation>Preise…</translation>
    </message>
    <message>
        <source>Primary-key lookups through the server, and updates on request.</source>
        <translation>Primärschlüssel-Lookups durch den Server, auf Wunsch auch Updates.</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Probe again…</source>
        <translation>Erneut messen…</translation>
    </message>
    <message>
        <source>Probe files</source>
        <translation>Messdateien</translation>
    </message>
    <message>
        <source>Probe its storage</source>
        <translation>Laufwerk messen</translation>
    </message>
    <message>
        <source>Probe: go to the set-up, then start</source>
        <translation>Messen: zur Einrichtung gehen, dann starten</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>Project {name}</source>
        <translation>Projekt {name}</translation>
    </message>
    <message>
        <source>Proposed</source>
        <translation>Vorschlag</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Veröffentlicht</translation>
    </message>
    <message>
        <source>Published findings</source>
        <translation>Veröffentlichte Erkenntnisse</translation>
    </message>
    <message>
        <source>Queries per second over connections, drive by drive</source>
        <translation>Abfragen pro Sekunde über Verbindungen, Laufwerk für Laufwerk</translation>
    </message>
    <message>
        <source>Queries per second over connections, today and then</source>
        <translation>Queries pro Sekunde über Verbindungen, heute und dann</translation>
    </message>
    <message>
        <source>Queries/s</source>
        <translation>Queries/s</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Queue</translation>
    </message>
    <message>
        <source>Random page reads and writes over block sizes and threads.</source>
        <translation>Zufälliges Lesen und Schreiben von Seiten über Blockgrößen und Threads.</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>Ratios</source>
        <translation>Verhältnisse</translation>
    </message>
    <message>
        <source>Read it there</source>
        <translation>Dort nachlesen</translation>
    </message>
    <message>
        <source>Read {when}, looked at again {later}.</source>
        <translation>Stand: {when}, noch einmal angesehen {later}.</translation>
    </message>
    <message>
        <source>Read {when}.</source>
        <translation>Stand: {when}.</translation>
    </message>
    <message>
        <source>Readers</source>
        <translation>Lese-Threads</translation>
    </message>
    <message>
        <source>Reading the machine, its disks and its server.</source>
        <translation>Rechner, Disks und Server werden gelesen.</translation>
    </message>
    <message>
        <source>Reading the samples from the store.</source>
        <translation>Die Samples werden gelesen.</translation>
    </message>
    <message>
        <source>Reading the server</source>
        <translation>Server wird gelesen</translation>
    </message>
    <message>
        <source>Readout</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Reads while pages are flushed and the redo log is synced.</source>
        <translation>Lesen, während Seiten geschrieben werden und das Redo-Log synchronisiert wird.</translation>
    </message>
    <message>
        <source>Rece&amp;nt cases</source>
        <translation>Zulet&amp;zt geöffnete Fälle</translation>
    </message>
    <message>
        <source>Redo log</source>
        <translation>Redo-Log</translation>
    </message>
    <message>
        <source>Relay log</source>
        <translation>Relay-Log</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Report as JSON</source>
        <translation>Bericht als JSON</translation>
    </message>
    <message>
        <source>Report as Markdown</source>
        <translation>Bericht als Markdown</translation>
    </message>
    <message>
        <source>Report for a browser</source>
        <translation>Bericht für den Browser</translation>
    </message>
    <message>
        <source>Report for a client</source>
        <translation>Bericht für Kunden</translation>
    </message>
    <message>
        <source>Report on paper</source>
        <translation>Bericht auf Papier</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>Bericht…</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>Results and cases (*.json *.txt *.log *.out *.csv *.tsv *.leadline);;Cases of Leadline (*.leadline);;All files (*)</source>
        <translation>Ergebnisse und Fälle (*.json *.txt *.log *.out *.csv *.tsv *.leadline);;Fälle von Leadline (*.leadline);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Risks</source>
        <translation>Risiken</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Round trip</source>
        <translation>Netzwerklaufzeit</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Rules judge when all points are measured.</source>
        <translation>Die Regeln urteilen, wenn alle Punkte gemessen sind.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Run of {title} deleted.</source>
        <translation>Lauf gelöscht: {title}.</translation>
    </message>
    <message>
        <source>Run {title}, {detail}</source>
        <translation>Lauf {title}, {detail}</translation>
    </message>
    <message>
        <source>Runs &amp;here</source>
        <translation>Läuft &amp;hier</translation>
    </message>
    <message>
        <source>Runs of all targets, imports and published tables</source>
        <translation>Läufe aller Ziele, Importe und veröffentlichte Tabellen</translation>
    </message>
    <message>
        <source>SHA-256 of the certificate</source>
        <translation>SHA-256 des Zertifikats</translation>
    </message>
    <message>
        <source>SQL text</source>
        <translation>SQL-Text</translation>
    </message>
    <message>
        <source>SSH host</source>
        <translation>SSH-Host</translation>
    </message>
    <message>
        <source>SSH port</source>
        <translation>SSH-Port</translation>
    </message>
    <message>
        <source>SSH user</source>
        <translation>SSH-Benutzer</translation>
    </message>
    <message>
        <source>SVG picture</source>
        <translation>SVG-Bild</translation>
    </message>
    <message>
        <source>Samples of the point</source>
        <translation>Samples des Punkts</translation>
    </message>
    <message>
        <source>Save as HTML…</source>
        <translation>Als HTML…</translation>
    </message>
    <message>
        <source>Save as PDF…</source>
        <translation>Als PDF…</translation>
    </message>
    <message>
        <source>Save as {kind}…</source>
        <translation>Als {kind} speichern…</translation>
    </message>
    <message>
        <source>Save target</source>
        <translation>Ziel speichern</translation>
    </message>
    <message>
        <source>Save the advice or the case as a file</source>
        <translation>Empfehlungen oder Fall als Datei speichern</translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>Plan speichern</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Save this chart (Ctrl+E)</source>
        <translation>Diagramm speichern (Strg+E)</translation>
    </message>
    <message>
        <source>Save this form as a file</source>
        <translation>Diese Form als Datei speichern</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>Szenario</translation>
    </message>
    <message>
        <source>Scenario, kept for the report</source>
        <translation>Szenario, für den Bericht behalten</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search runs, imports and published tables</source>
        <translation>Läufe, Importe, Tabellen suchen</translation>
    </message>
    <message>
        <source>Search targets and runs</source>
        <translation>Ziele und Läufe durchsuchen</translation>
    </message>
    <message>
        <source>Search the a&amp;dvice</source>
        <translation>Empfehlungen &amp;durchsuchen</translation>
    </message>
    <message>
        <source>Search the advice</source>
        <translation>Empfehlungen durchsuchen</translation>
    </message>
    <message>
        <source>Search what can be compared</source>
        <translation>Vergleichbares durchsuchen</translation>
    </message>
    <message>
        <source>See the advice with its evidence</source>
        <translation>Empfehlung mit Belegen ansehen</translation>
    </message>
    <message>
        <source>See the advice: {what}</source>
        <translation>Empfehlung ansehen: {what}</translation>
    </message>
    <message>
        <source>See the run</source>
        <translation>Lauf ansehen</translation>
    </message>
    <message>
        <source>See what a change would bring before it is made.</source>
        <translation>Vor einer Änderung sehen, was sie bringt.</translation>
    </message>
    <message>
        <source>See what is open: {title}</source>
        <translation>Ansehen, was offen ist: {title}</translation>
    </message>
    <message>
        <source>See what the server&apos;s own work asks of its storage.</source>
        <translation>Sehen, was die eigene Arbeit des Servers vom Laufwerk verlangt.</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>Gesehen</translation>
    </message>
    <message>
        <source>Seen as</source>
        <translation>Gesehen als</translation>
    </message>
    <message>
        <source>September</source>
        <translation>September</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Servers that run here</source>
        <translation>Server, die hier laufen</translation>
    </message>
    <message>
        <source>Setting or word</source>
        <translation>Einstellung oder Wort</translation>
    </message>
    <message>
        <source>Settings that matter to storage</source>
        <translation>Einstellungen, die das Laufwerk betreffen</translation>
    </message>
    <message>
        <source>Show &amp;device and processors</source>
        <translation>&amp;Gerät und Prozessoren zeigen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>Details anzeigen</translation>
    </message>
    <message>
        <source>Show or hide the list of targets</source>
        <translation>Liste der Ziele ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Show rejected &amp;points</source>
        <translation>&amp;Verworfene Punkte zeigen</translation>
    </message>
    <message>
        <source>Show the runs of one project</source>
        <translation>Läufe eines Projekts anzeigen</translation>
    </message>
    <message>
        <source>Show the way back instead</source>
        <translation>Stattdessen den Rückweg zeigen</translation>
    </message>
    <message>
        <source>Show what it &amp;will do</source>
        <translation>Zeigen, &amp;was geschieht</translation>
    </message>
    <message>
        <source>Show what the point was made of</source>
        <translation>Zeigen, woraus der Punkt besteht</translation>
    </message>
    <message>
        <source>Side&amp;bar</source>
        <translation>Sei&amp;tenleiste</translation>
    </message>
    <message>
        <source>Small appends, each synced: what one commit waits for.</source>
        <translation>Kleine Anhänge, jeder mit Sync: worauf ein Commit wartet.</translation>
    </message>
    <message>
        <source>Soc&amp;ket</source>
        <translation>Soc&amp;ket</translation>
    </message>
    <message>
        <source>Socket</source>
        <translation>Socket</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>Trotzdem starten</translation>
    </message>
    <message>
        <source>Start probing</source>
        <translation>Messung starten</translation>
    </message>
    <message>
        <source>Start the bench</source>
        <translation>Vergleich starten</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Started beside the probe files with its own data directory, 64 MiB of buffer pool and no network; removed at the end.</source>
        <translation>Startet neben den Messdateien mit eigenem Datenverzeichnis, 64 MiB Buffer Pool und ohne Netzwerk; am Ende entfernt.</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Starting.</source>
        <translation>Startet.</translation>
    </message>
    <message>
        <source>Statements that read</source>
        <translation>Lesende Statements</translation>
    </message>
    <message>
        <source>Steady write</source>
        <translation>Dauerschreiben</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Stoppen und schließen</translation>
    </message>
    <message>
        <source>Stop every run, after a question</source>
        <translation>Alle Läufe stoppen, nach einer Rückfrage</translation>
    </message>
    <message>
        <source>Stop every run, after a question (Ctrl+.)</source>
        <translation>Alle Läufe stoppen, nach einer Rückfrage (Strg+.)</translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation>Messung stoppen</translation>
    </message>
    <message>
        <source>Stop measuring and close?</source>
        <translation>Messung stoppen und schließen?</translation>
    </message>
    <message>
        <source>Stop measuring?</source>
        <translation>Messung stoppen?</translation>
    </message>
    <message numerus="yes">
        <source>Stop the run</source>
        <comment>Stop all {n} runs</comment>
        <translation>
            <numerusform>Lauf stoppen</numerusform>
            <numerusform>Alle {n} Läufe stoppen</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop this run</source>
        <translation>Diesen Lauf stoppen</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird gestoppt</translation>
    </message>
    <message>
        <source>Stopping.</source>
        <translation>Wird gestoppt.</translation>
    </message>
    <message numerus="yes">
        <source>Stopping; 1 point kept.</source>
        <comment>Stopping; {n} points kept.</comment>
        <translation>
            <numerusform>Wird gestoppt; 1 Punkt bleibt erhalten.</numerusform>
            <numerusform>Wird gestoppt; {n} Punkte bleiben erhalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Laufwerk</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Swap</translation>
    </message>
    <message>
        <source>Syncs</source>
        <translation>Syncs</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>T&amp;LS</source>
        <translation>T&amp;LS</translation>
    </message>
    <message>
        <source>TC&amp;P</source>
        <translation>TC&amp;P</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Table for lookups</source>
        <translation>Tabelle für Lookups</translation>
    </message>
    <message>
        <source>Take a deletion back, while the notice offers it</source>
        <translation>Eine Löschung zurücknehmen, solange der Hinweis es anbietet</translation>
    </message>
    <message>
        <source>Take advice into the plan, or leave it out</source>
        <translation>Empfehlung in den Plan aufnehmen oder weglassen</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Targets and runs</source>
        <translation>Ziele und Läufe</translation>
    </message>
    <message>
        <source>Temporary files</source>
        <translation>Temporäre Dateien</translation>
    </message>
    <message>
        <source>Ten primary-key reads a second watch the live server. Where they slow down by more than this, the run stops within a second.</source>
        <translation>Zehn Primärschlüssel-Zugriffe pro Sekunde bewachen den Live-Server. Werden sie um mehr als diesen Wert langsamer, stoppt der Lauf binnen einer Sekunde.</translation>
    </message>
    <message>
        <source>Test &amp;connection</source>
        <translation>&amp;Verbindung testen</translation>
    </message>
    <message>
        <source>Th&amp;orough</source>
        <translation>&amp;Gründlich</translation>
    </message>
    <message>
        <source>The MySQL host is missing.</source>
        <translation>Der MySQL-Host fehlt.</translation>
    </message>
    <message>
        <source>The MySQL server {server} is not known yet</source>
        <translation>Der MySQL-Server {server} ist noch nicht bekannt</translation>
    </message>
    <message>
        <source>The Probe page shows the turn that is measured; Ctrl+. stops the bench.</source>
        <translation>Die Seite Messen zeigt, was gerade gemessen wird; Strg+. stoppt den Vergleichslauf.</translation>
    </message>
    <message>
        <source>The SSH host is missing.</source>
        <translation>Der SSH-Host fehlt.</translation>
    </message>
    <message>
        <source>The added latency</source>
        <translation>Zusätzliche Latenz</translation>
    </message>
    <message>
        <source>The added latency must be from 1 ms to 1 min.</source>
        <translation>Die zusätzliche Latenz muss zwischen 1 ms und 1 min liegen.</translation>
    </message>
    <message>
        <source>The advice with its evidence</source>
        <translation>Die Empfehlung mit Belegen</translation>
    </message>
    <message>
        <source>The bench is done: the Compare page shows it.</source>
        <translation>Der Vergleich ist fertig: Die Seite „Vergleichen“ zeigt ihn.</translation>
    </message>
    <message>
        <source>The change plan, step by step</source>
        <translation>Der Änderungsplan, Schritt für Schritt</translation>
    </message>
    <message>
        <source>The drive of this scenario is not in the list: {drive}.</source>
        <translation>Das Laufwerk dieses Szenarios steht nicht in der Liste: {drive}.</translation>
    </message>
    <message>
        <source>The drive under this directory is measured, in files of Leadline&apos;s own that are gone when the run ends.</source>
        <translation>Gemessen wird das Laufwerk unter diesem Verzeichnis, in eigenen Dateien von Leadline, die am Ende des Laufs verschwinden.</translation>
    </message>
    <message>
        <source>The figures can be taken as they are, with their intervals.</source>
        <translation>Die Werte gelten wie gemessen, mit ihren Intervallen.</translation>
    </message>
    <message>
        <source>The first point follows when files and server are ready.</source>
        <translation>Der erste Punkt folgt, wenn Dateien und Server bereit sind.</translation>
    </message>
    <message>
        <source>The forecast</source>
        <translation>Die Vorhersage</translation>
    </message>
    <message>
        <source>The interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>The longest time</source>
        <translation>Längste Dauer</translation>
    </message>
    <message>
        <source>The mean of each stretch {source}: nothing was traced, because {reason}.</source>
        <translation>Mittelwert je Abschnitt, {source}: Nichts wurde aufgezeichnet. Grund: {reason}.</translation>
    </message>
    <message>
        <source>The mean of each stretch {source}: nothing was traced.</source>
        <translation>Mittelwert je Abschnitt, {source}: Nichts wurde aufgezeichnet.</translation>
    </message>
    <message>
        <source>The most to read</source>
        <translation>Höchstens lesen</translation>
    </message>
    <message>
        <source>The most to write</source>
        <translation>Höchstens schreiben</translation>
    </message>
    <message>
        <source>The most wear</source>
        <translation>Höchster Verschleiß</translation>
    </message>
    <message>
        <source>The next page (Page Down)</source>
        <translation>Nächste Seite (Bild ab)</translation>
    </message>
    <message>
        <source>The next point (Page Down)</source>
        <translation>Nächster Punkt (Bild ab)</translation>
    </message>
    <message>
        <source>The page before (Page Up)</source>
        <translation>Vorige Seite (Bild auf)</translation>
    </message>
    <message>
        <source>The plan could not be made.</source>
        <translation>Der Plan konnte nicht erstellt werden.</translation>
    </message>
    <message>
        <source>The plan in this form</source>
        <translation>Der Plan in dieser Form</translation>
    </message>
    <message>
        <source>The point before (Page Up)</source>
        <translation>Voriger Punkt (Bild auf)</translation>
    </message>
    <message>
        <source>The point before, the next one</source>
        <translation>Voriger Punkt, nächster Punkt</translation>
    </message>
    <message>
        <source>The program ended while this run went on. Its points are kept.</source>
        <translation>Das Programm endete während dieses Laufs. Die Punkte sind erhalten.</translation>
    </message>
    <message>
        <source>The report opens as soon as the advice is there.</source>
        <translation>Der Bericht wird geöffnet, sobald die Empfehlungen da sind.</translation>
    </message>
    <message>
        <source>The run ended before its first point settled.</source>
        <translation>Der Lauf endete, bevor sein erster Punkt feststand.</translation>
    </message>
    <message>
        <source>The run ended before there was anything to judge.</source>
        <translation>Der Lauf endete, bevor es etwas zu beurteilen gab.</translation>
    </message>
    <message>
        <source>The run ended without a trustworthy point.</source>
        <translation>Der Lauf endete ohne verlässlichen Punkt.</translation>
    </message>
    <message numerus="yes">
        <source>The run failed after 1 point.</source>
        <comment>The run failed after {n} points.</comment>
        <translation>
            <numerusform>Der Lauf scheiterte nach 1 Punkt.</numerusform>
            <numerusform>Der Lauf scheiterte nach {n} Punkten.</numerusform>
        </translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>Der Lauf ist gescheitert.</translation>
    </message>
    <message>
        <source>The run failed: nothing was measured that can be used.</source>
        <translation>Der Lauf ist gescheitert: Nichts Brauchbares wurde gemessen.</translation>
    </message>
    <message>
        <source>The run is done: see its advice</source>
        <translation>Der Lauf ist fertig: Empfehlungen ansehen</translation>
    </message>
    <message>
        <source>The sample is a MySQL server under load. Delete it like any other target.</source>
        <translation>Das Beispiel ist ein MySQL-Server unter Last. Es lässt sich löschen wie jedes andere Ziel.</translation>
    </message>
    <message>
        <source>The server that the drives are compared under</source>
        <translation>Der Server, unter dem die Laufwerke verglichen werden</translation>
    </message>
    <message>
        <source>The server&apos;s counters, calls and disks are read once a second.</source>
        <translation>Zähler, Aufrufe und Disks des Servers werden jede Sekunde gelesen.</translation>
    </message>
    <message>
        <source>The server&apos;s own work</source>
        <translation>Die eigene Arbeit des Servers</translation>
    </message>
    <message>
        <source>The server&apos;s socket is missing.</source>
        <translation>Der Socket des Servers fehlt.</translation>
    </message>
    <message>
        <source>The share of the drive&apos;s rated endurance that may be written, where the rating is known.</source>
        <translation>Der Anteil der zugesicherten Schreibmenge des Laufwerks, der geschrieben werden darf, falls bekannt.</translation>
    </message>
    <message>
        <source>The slowest 1 % and 0.1 % take longer.</source>
        <translation>Die langsamsten 1 % und 0.1 % dauern länger.</translation>
    </message>
    <message>
        <source>The target&apos;s address</source>
        <translation>Die Adresse des Ziels</translation>
    </message>
    <message>
        <source>There is a target called {name} already.</source>
        <translation>Es gibt schon ein Ziel namens {name}.</translation>
    </message>
    <message>
        <source>There is no advice here yet, so no plan to copy.</source>
        <translation>Hier gibt es noch keine Empfehlungen, also keinen Plan zum Kopieren.</translation>
    </message>
    <message>
        <source>There is no advice to hand over yet.</source>
        <translation>Noch gibt es keine Empfehlungen zum Weitergeben.</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>This page</source>
        <translation>Diese Seite</translation>
    </message>
    <message>
        <source>This point has no samples: its source gives totals alone, so nothing is known about its course.</source>
        <translation>Dieser Punkt hat keine Samples: Seine Quelle liefert nur Summen, über den Verlauf ist nichts bekannt.</translation>
    </message>
    <message>
        <source>This run ended early: a whole one decides the other questions.</source>
        <translation>Dieser Lauf endete vorzeitig: Ein ganzer entscheidet die übrigen Fragen.</translation>
    </message>
    <message>
        <source>This scenario was kept with {options}, which this page can&apos;t turn.</source>
        <translation>Dieses Szenario wurde mit {options} behalten, was diese Seite nicht verändern kann.</translation>
    </message>
    <message>
        <source>This target is being measured: look again when the run has ended.</source>
        <translation>Dieses Ziel wird gerade gemessen: nach dem Ende des Laufs erneut ansehen.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads running</source>
        <translation>Aktive Threads</translation>
    </message>
    <message>
        <source>Threads, committers or connections</source>
        <translation>Threads, Committer oder Verbindungen</translation>
    </message>
    <message>
        <source>Tick two to {most}. Curves of one probe and block size are laid over each other.</source>
        <translation>Zwei bis {most} ankreuzen. Kurven derselben Messung und Blockgröße werden übereinandergelegt.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time of a query</source>
        <translation>Zeit einer Query</translation>
    </message>
    <message>
        <source>Time of a query (p95)</source>
        <translation>Zeit einer Query (p95)</translation>
    </message>
    <message>
        <source>Time of a query over connections, mean and p95, today and then</source>
        <translation>Zeit einer Query über Verbindungen, Mittel und p95, heute und dann</translation>
    </message>
    <message>
        <source>Today {time}</source>
        <translation>Heute {time}</translation>
    </message>
    <message>
        <source>Topic of the advice</source>
        <translation>Thema der Empfehlungen</translation>
    </message>
    <message>
        <source>Trace the server&apos;s work by &amp;sudo -n</source>
        <translation>Arbeit des Servers mit sudo -n verfol&amp;gen</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>Güte</translation>
    </message>
    <message>
        <source>Trust and connect</source>
        <translation>Vertrauen und verbinden</translation>
    </message>
    <message>
        <source>Try the sample</source>
        <translation>Beispiel öffnen</translation>
    </message>
    <message>
        <source>Turn {number} of {total}: {name}</source>
        <translation>Durchgang {number} von {total}: {name}</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>Durchgänge</translation>
    </message>
    <message>
        <source>U&amp;ntil decided</source>
        <translation>B&amp;is entschieden</translation>
    </message>
    <message>
        <source>Under</source>
        <translation>Unter</translation>
    </message>
    <message>
        <source>Under a server</source>
        <translation>Am Server</translation>
    </message>
    <message>
        <source>Underline the letters that Alt reaches</source>
        <translation>Die mit Alt erreichbaren Buchstaben unterstreichen</translation>
    </message>
    <message>
        <source>Undo</source>
        <comment>a deletion</comment>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo</source>
        <comment>a plan</comment>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Undo</translation>
    </message>
    <message>
        <source>Unix s&amp;ocket</source>
        <translation>Unix-S&amp;ocket</translation>
    </message>
    <message>
        <source>Unverified: the password goes to any server with TLS</source>
        <translation>Ungeprüft: Das Passwort geht an jeden Server mit TLS</translation>
    </message>
    <message>
        <source>Up for</source>
        <translation>Läuft seit</translation>
    </message>
    <message>
        <source>Up to 1,024 threads, all block sizes. Aims at ±1.5 % for each point, and stops after 24 s.</source>
        <translation>Bis zu 1,024 Threads, alle Blockgrößen. Ziel ist ±1.5 % für jeden Punkt, Schluss nach 24 s.</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>Auf, Ab</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Verified (default)</source>
        <translation>Geprüft (Standard)</translation>
    </message>
    <message>
        <source>Verified, on loopback too</source>
        <translation>Geprüft, auch über Loopback</translation>
    </message>
    <message>
        <source>Verified, whatever name the certificate has</source>
        <translation>Geprüft, egal auf welchen Namen das Zertifikat lautet</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Version to see the server as</source>
        <translation>Version, als die der Server gesehen wird</translation>
    </message>
    <message>
        <source>Volume&apos;s IOPS</source>
        <translation>IOPS des Volumes</translation>
    </message>
    <message>
        <source>Volume&apos;s throughput</source>
        <translation>Durchsatz des Volumes</translation>
    </message>
    <message>
        <source>Waiting for another run on this drive to end.</source>
        <translation>Wartet auf das Ende eines anderen Laufs auf diesem Laufwerk.</translation>
    </message>
    <message>
        <source>Waiting for the drive</source>
        <translation>Wartet auf das Laufwerk</translation>
    </message>
    <message>
        <source>Waiting until the server has recovered</source>
        <translation>Wartet, bis der Server sich erholt hat</translation>
    </message>
    <message>
        <source>Wanted interval in percent</source>
        <translation>Gewünschtes Intervall in Prozent</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Watch it</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Watch one at work (Ctrl+Shift+R), then come back.</source>
        <translation>Einen bei der Arbeit beobachten (Strg+Umschalt+R), dann zurückkommen.</translation>
    </message>
    <message>
        <source>Watch the server</source>
        <translation>Server beobachten</translation>
    </message>
    <message>
        <source>Watch the server&apos;s own work</source>
        <translation>Die eigene Arbeit des Servers beobachten</translation>
    </message>
    <message>
        <source>Watch {time}</source>
        <translation>{time} beobachten</translation>
    </message>
    <message>
        <source>Watched for {time}, nothing measured</source>
        <translation>{time} beobachtet, nichts gemessen</translation>
    </message>
    <message>
        <source>Watching</source>
        <translation>Wird beobachtet</translation>
    </message>
    <message>
        <source>Watching the server&apos;s own work, {left} left.</source>
        <translation>Die eigene Arbeit des Servers wird beobachtet, noch {left}.</translation>
    </message>
    <message>
        <source>Watching the server&apos;s own work.</source>
        <translation>Die eigene Arbeit des Servers wird beobachtet.</translation>
    </message>
    <message>
        <source>What &amp;if</source>
        <translation>&amp;Was wäre wenn</translation>
    </message>
    <message>
        <source>What 1,000 operations a second cost, in the unit of the prices.</source>
        <translation>Was 1,000 Operationen pro Sekunde kosten, in der Einheit der Preise.</translation>
    </message>
    <message>
        <source>What and from where</source>
        <translation>Was und woher</translation>
    </message>
    <message>
        <source>What another version would change</source>
        <translation>Was eine andere Version ändern würde</translation>
    </message>
    <message>
        <source>What can be compared</source>
        <translation>Was verglichen werden kann</translation>
    </message>
    <message>
        <source>What can be turned</source>
        <translation>Was sich einstellen lässt</translation>
    </message>
    <message>
        <source>What each call takes</source>
        <translation>Was jeder Aufruf dauert</translation>
    </message>
    <message>
        <source>What each drive costs, in one unit for all: to buy, or a month.</source>
        <translation>Was jedes Laufwerk kostet, für alle in derselben Einheit: Kaufpreis oder pro Monat.</translation>
    </message>
    <message>
        <source>What flushing does to reads.</source>
        <translation>Was das Flushing mit Lesezugriffen macht.</translation>
    </message>
    <message>
        <source>What it saw is being read.</source>
        <translation>Die Beobachtung wird gelesen.</translation>
    </message>
    <message>
        <source>What it will do</source>
        <translation>Was geschieht</translation>
    </message>
    <message>
        <source>What its watch saw is being read.</source>
        <translation>Seine Beobachtung wird gelesen.</translation>
    </message>
    <message>
        <source>What one commit waits for, and what relaxed commits would gain.</source>
        <translation>Worauf ein Commit wartet, und was lockerere Commits brächten.</translation>
    </message>
    <message>
        <source>What the chart shows</source>
        <translation>Was das Diagramm zeigt</translation>
    </message>
    <message>
        <source>What the drive can give is not measured.</source>
        <translation>Was das Laufwerk geben kann, ist nicht gemessen.</translation>
    </message>
    <message numerus="yes">
        <source>What the drive can give would decide 1 more question.</source>
        <comment>What the drive can give would decide {n} more questions.</comment>
        <translation>
            <numerusform>Was das Laufwerk geben kann, würde 1 weitere Frage entscheiden.</numerusform>
            <numerusform>Was das Laufwerk geben kann, würde {n} weitere Fragen entscheiden.</numerusform>
        </translation>
    </message>
    <message>
        <source>What the drive could give is unknown until it is probed; a watch adds no load.</source>
        <translation>Was das Laufwerk könnte, zeigt erst eine Messung; eine Beobachtung erzeugt keine Last.</translation>
    </message>
    <message>
        <source>What the drive sustains once its caches are full.</source>
        <translation>Was das Laufwerk auf Dauer schafft, wenn seine Caches voll sind.</translation>
    </message>
    <message>
        <source>What the drives cost</source>
        <translation>Was die Laufwerke kosten</translation>
    </message>
    <message>
        <source>What the points say together</source>
        <translation>Was die Punkte zusammen sagen</translation>
    </message>
    <message>
        <source>What the timeline shows</source>
        <translation>Was der Zeitverlauf zeigt</translation>
    </message>
    <message>
        <source>What this rests on ({n})</source>
        <translation>Worauf das beruht ({n})</translation>
    </message>
    <message>
        <source>What to change or watch, what matters most first</source>
        <translation>Was zu ändern oder zu beobachten ist, das Wichtigste zuerst</translation>
    </message>
    <message>
        <source>What to measure</source>
        <translation>Was gemessen wird</translation>
    </message>
    <message>
        <source>What was measured is kept</source>
        <translation>Gemessenes bleibt erhalten</translation>
    </message>
    <message>
        <source>What was measured is kept.</source>
        <translation>Was gemessen wurde, bleibt erhalten.</translation>
    </message>
    <message>
        <source>What you get</source>
        <translation>Was es bringt</translation>
    </message>
    <message>
        <source>What you say before all else</source>
        <translation>Was ganz am Anfang stehen soll</translation>
    </message>
    <message>
        <source>When this scenario was kept its forecast was: {said}.</source>
        <translation>Als dieses Szenario behalten wurde, war seine Vorhersage: {said}.</translation>
    </message>
    <message>
        <source>Where a check has looked at a server, its settings and advice can be seen here as those of another version.</source>
        <translation>Hat ein Check einen Server angesehen, lassen sich seine Einstellungen und Empfehlungen hier wie in einer anderen Version sehen.</translation>
    </message>
    <message>
        <source>Where the account is not root, what looks at the server is run by sudo -n, so that the kernel may trace its reads, writes and syncs. It never asks for a password.</source>
        <translation>Wenn das Konto nicht root ist, läuft die Beobachtung des Servers über sudo -n, damit der Kernel seine Lese-, Schreib- und Sync-Aufrufe aufzeichnen darf. Es fragt nie nach einem Passwort.</translation>
    </message>
    <message>
        <source>Where the time of a query goes, today and then</source>
        <translation>Wohin die Zeit einer Query geht, heute und dann</translation>
    </message>
    <message>
        <source>Whole &amp;check</source>
        <translation>Ganze&amp;r Check</translation>
    </message>
    <message>
        <source>Whose latencies</source>
        <translation>Wessen Latenzen</translation>
    </message>
    <message>
        <source>Without flushing</source>
        <translation>Ohne Flushing</translation>
    </message>
    <message>
        <source>Without it, primary-key lookups run on the target&apos;s own server.</source>
        <translation>Ohne ihn laufen Primärschlüssel-Lookups auf dem eigenen Server des Ziels.</translation>
    </message>
    <message>
        <source>Worth a change</source>
        <translation>Änderung lohnt sich</translation>
    </message>
    <message>
        <source>Write it as 64.</source>
        <translation>Etwa als 64 schreiben.</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Written to {path}.</source>
        <translation>Gespeichert als {path}.</translation>
    </message>
    <message>
        <source>Yesterday {time}</source>
        <translation>Gestern {time}</translation>
    </message>
    <message>
        <source>a commit&apos;s sync takes {time}</source>
        <translation>Commit-Sync {time}</translation>
    </message>
    <message>
        <source>a name for it</source>
        <translation>ein Name dafür</translation>
    </message>
    <message>
        <source>about.md</source>
        <translation>about.de.md</translation>
    </message>
    <message>
        <source>an unknown filesystem</source>
        <translation>einem unbekannten Dateisystem</translation>
    </message>
    <message>
        <source>as in ~/.ssh/config</source>
        <translation>wie in ~/.ssh/config</translation>
    </message>
    <message>
        <source>as in ~/.ssh/config, or the SSH agent</source>
        <translation>wie in ~/.ssh/config, oder der SSH-Agent</translation>
    </message>
    <message>
        <source>as now</source>
        <translation>wie jetzt</translation>
    </message>
    <message>
        <source>as the plan has it</source>
        <translation>wie im Plan</translation>
    </message>
    <message>
        <source>as traced</source>
        <translation>wie aufgezeichnet</translation>
    </message>
    <message>
        <source>as watched: busy {share}</source>
        <translation>beobachtet: zu {share} ausgelastet</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>höchstens</translation>
    </message>
    <message>
        <source>because {reason}</source>
        <translation>Grund: {reason}</translation>
    </message>
    <message>
        <source>beside the server&apos;s own load</source>
        <translation>neben Serverlast</translation>
    </message>
    <message>
        <source>buffer pool</source>
        <translation>Buffer Pool</translation>
    </message>
    <message>
        <source>cache: {kind}</source>
        <translation>Cache: {kind}</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>check</source>
        <translation>Check</translation>
    </message>
    <message>
        <source>chosen by the plan</source>
        <translation>vom Plan bestimmt</translation>
    </message>
    <message>
        <source>chosen by the server</source>
        <translation>vom Server bestimmt</translation>
    </message>
    <message>
        <source>client X, October</source>
        <translation>Kunde X, Oktober</translation>
    </message>
    <message>
        <source>command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>doublewrite</source>
        <translation>Doublewrite</translation>
    </message>
    <message>
        <source>doubtful</source>
        <translation>zweifelhaft</translation>
    </message>
    <message>
        <source>every byte of its share was done after {time}</source>
        <translation>jedes Byte des Anteils war nach {time} erledigt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>fio, sysbench, iostat, CSV (Ctrl+I)</source>
        <translation>fio, sysbench, iostat, CSV (Strg+I)</translation>
    </message>
    <message>
        <source>from the option file</source>
        <translation>aus der Optionsdatei</translation>
    </message>
    <message>
        <source>import</source>
        <translation>Import</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>its data lies on {filesystem}</source>
        <translation>die Daten liegen auf {filesystem}</translation>
    </message>
    <message>
        <source>its time was up after {time}</source>
        <translation>die Zeit war nach {time} um</translation>
    </message>
    <message>
        <source>left out: {reason}</source>
        <translation>ausgelassen: {reason}</translation>
    </message>
    <message>
        <source>many files</source>
        <translation>viele Dateien</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>mean time</source>
        <translation>mittlere Zeit</translation>
    </message>
    <message>
        <source>measured now</source>
        <translation>wird gemessen</translation>
    </message>
    <message>
        <source>measured with different threads</source>
        <translation>mit verschiedenen Thread-Zahlen gemessen</translation>
    </message>
    <message>
        <source>misses</source>
        <translation>Fehlzugriffe</translation>
    </message>
    <message>
        <source>misses/s</source>
        <translation>Fehlzugriffe/s</translation>
    </message>
    <message>
        <source>most often because of this: {reason}</source>
        <translation>am häufigsten deshalb: {reason}</translation>
    </message>
    <message>
        <source>mounted at {place}</source>
        <translation>eingehängt unter {place}</translation>
    </message>
    <message>
        <source>ms slower at most</source>
        <translation>ms langsamer, höchstens</translation>
    </message>
    <message>
        <source>name, address, or Host of ~/.ssh/config</source>
        <translation>Name, Adresse, Host (~/.ssh/config)</translation>
    </message>
    <message>
        <source>nine of ten</source>
        <translation>neun von zehn</translation>
    </message>
    <message>
        <source>nine of ten within its band</source>
        <translation>neun von zehn in seinem Band</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>not compared: one beside the server&apos;s own load</source>
        <translation>nicht verglichen: einmal neben der eigenen Last des Servers</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>nothing is known</source>
        <translation>nichts ist bekannt</translation>
    </message>
    <message>
        <source>nothing to compare with</source>
        <translation>nichts zum Vergleichen</translation>
    </message>
    <message>
        <source>now {value}</source>
        <translation>jetzt {value}</translation>
    </message>
    <message>
        <source>of the class, or 64G</source>
        <translation>aus der Klasse, oder 64G</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>ok</translation>
    </message>
    <message>
        <source>on</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>option file</source>
        <translation>Optionsdatei</translation>
    </message>
    <message>
        <source>others</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>over {time}</source>
        <translation>über {time}</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>p95 there</source>
        <translation>p95 dort</translation>
    </message>
    <message>
        <source>p95, nine of ten within the band</source>
        <translation>p95, neun von zehn im Band</translation>
    </message>
    <message>
        <source>pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>persisted</source>
        <translation>persistiert</translation>
    </message>
    <message>
        <source>plan {plan}</source>
        <translation>Plan {plan}</translation>
    </message>
    <message>
        <source>point {number}</source>
        <translation>Punkt {number}</translation>
    </message>
    <message>
        <source>point {number} of {total}</source>
        <translation>Punkt {number} von {total}</translation>
    </message>
    <message>
        <source>port {port}</source>
        <translation>Port {port}</translation>
    </message>
    <message>
        <source>price per 1,000/s</source>
        <translation>Preis pro 1,000/s</translation>
    </message>
    <message>
        <source>private throwaway server of this run</source>
        <translation>privater Wegwerf-Server dieses Laufs</translation>
    </message>
    <message>
        <source>probe</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>queries/s</source>
        <translation>Queries/s</translation>
    </message>
    <message>
        <source>queue of {requests}</source>
        <translation>Warteschlange {requests}</translation>
    </message>
    <message>
        <source>quick</source>
        <translation>schnell</translation>
    </message>
    <message>
        <source>rare to frequent</source>
        <translation>selten bis häufig</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>reports rotational={value}</source>
        <translation>meldet rotational={value}</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>scheduler {name}</source>
        <translation>Scheduler {name}</translation>
    </message>
    <message>
        <source>set a budget</source>
        <translation>Budget setzen</translation>
    </message>
    <message>
        <source>set at run time</source>
        <translation>zur Laufzeit gesetzt</translation>
    </message>
    <message>
        <source>standard</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>stolen</source>
        <translation>Steal</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>wird gestoppt</translation>
    </message>
    <message>
        <source>sync</source>
        <translation>Sync</translation>
    </message>
    <message>
        <source>system</source>
        <translation>System</translation>
    </message>
    <message>
        <source>taken from the address</source>
        <translation>aus der Adresse</translation>
    </message>
    <message>
        <source>the baseline, which lacks this curve</source>
        <translation>der Basis, der diese Kurve fehlt</translation>
    </message>
    <message>
        <source>the drive</source>
        <translation>Laufwerk</translation>
    </message>
    <message>
        <source>the largest that fits</source>
        <translation>die größte passende</translation>
    </message>
    <message>
        <source>the picture could not be saved</source>
        <translation>das Bild konnte nicht gespeichert werden</translation>
    </message>
    <message>
        <source>the server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>the server&apos;s own load: {moved}, {share} of the drive&apos;s bytes</source>
        <translation>eigene Last des Servers: {moved}, {share} der Bytes des Laufwerks</translation>
    </message>
    <message>
        <source>the system&apos;s own</source>
        <translation>die des Systems</translation>
    </message>
    <message>
        <source>then, nine of ten within the band</source>
        <translation>dann, neun von zehn im Band</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>this computer&apos;s server</source>
        <translation>Server dieses Rechners</translation>
    </message>
    <message>
        <source>thorough</source>
        <translation>gründlich</translation>
    </message>
    <message>
        <source>through the page cache</source>
        <translation>über den Page Cache</translation>
    </message>
    <message>
        <source>throwaway {server}</source>
        <translation>Wegwerf-Server {server}</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <source>today {time}</source>
        <translation>heute {time}</translation>
    </message>
    <message>
        <source>today, nine of ten within the band</source>
        <translation>heute, neun von zehn im Band</translation>
    </message>
    <message>
        <source>today: {connections}, {figure}</source>
        <translation>heute: {connections}, {figure}</translation>
    </message>
    <message>
        <source>too close</source>
        <translation>zu knapp</translation>
    </message>
    <message>
        <source>too close to call</source>
        <translation>zu knapp</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>user</source>
        <translation>User</translation>
    </message>
    <message>
        <source>waiting for I/O</source>
        <translation>I/O-Wait</translation>
    </message>
    <message>
        <source>waiting for another run on this drive to end</source>
        <translation>wartet auf das Ende eines anderen Laufs auf diesem Laufwerk</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>Warmlauf</translation>
    </message>
    <message>
        <source>watch</source>
        <translation>Beobachtung</translation>
    </message>
    <message>
        <source>watch, adds no load</source>
        <translation>Beobachtung, ohne eigene Last</translation>
    </message>
    <message>
        <source>watched</source>
        <translation>beobachtet</translation>
    </message>
    <message>
        <source>with the defaults of {version}</source>
        <translation>mit den Standardwerten von {version}</translation>
    </message>
    <message>
        <source>within {spread} after {time}</source>
        <translation>{spread} erreicht nach {time}</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>yesterday {time}</source>
        <translation>gestern {time}</translation>
    </message>
    <message>
        <source>{amount}, {each} each</source>
        <translation>{amount}, je {each}</translation>
    </message>
    <message>
        <source>{calls} under way</source>
        <translation>{calls}, gleichzeitig</translation>
    </message>
    <message>
        <source>{calls}: how often each latency occurred</source>
        <translation>{calls}: wie oft jede Latenz vorkam</translation>
    </message>
    <message>
        <source>{calls}: what each takes</source>
        <translation>{calls}: Dauer je Aufruf</translation>
    </message>
    <message>
        <source>{calls}: what each took on average</source>
        <translation>{calls}: mittlere Dauer je Aufruf</translation>
    </message>
    <message>
        <source>{connections}: {now} a query today, then {then}</source>
        <translation>{connections}: heute {now} je Query, dann {then}</translation>
    </message>
    <message>
        <source>{connections}: {now} a query today, then {then}; 95 of 100 within {early} today, then {late}</source>
        <translation>{connections}: heute {now} je Query, dann {then}; 95 von 100 heute binnen {early}, dann {late}</translation>
    </message>
    <message>
        <source>{connections}: {now} today, then {then} ({low} to {high}), {each} each</source>
        <translation>{connections}: heute {now}, dann {then} ({low} bis {high}), je {each}</translation>
    </message>
    <message>
        <source>{device} await</source>
        <translation>{device} await</translation>
    </message>
    <message>
        <source>{device} busy</source>
        <translation>{device} busy</translation>
    </message>
    <message>
        <source>{device} queue</source>
        <translation>{device} Queue</translation>
    </message>
    <message>
        <source>{doubtful}, most often for this ({times})</source>
        <translation>{doubtful}, am häufigsten deswegen ({times})</translation>
    </message>
    <message numerus="yes">
        <source>{doubts} of 1 point</source>
        <comment>{doubts} of {n} points</comment>
        <translation>
            <numerusform>{doubts} von 1 Punkt</numerusform>
            <numerusform>{doubts} von {n} Punkten</numerusform>
        </translation>
    </message>
    <message>
        <source>{doubts} so far</source>
        <translation>Bisher {doubts}</translation>
    </message>
    <message>
        <source>{figure} ({how})</source>
        <translation>{figure} ({how})</translation>
    </message>
    <message>
        <source>{figure}, doubtful</source>
        <translation>{figure}, zweifelhaft</translation>
    </message>
    <message>
        <source>{first} to {last} connections: too close to call</source>
        <translation>{first} bis {last} Verbindungen: zu knapp</translation>
    </message>
    <message>
        <source>{first} to {last}: {name} is the fastest</source>
        <translation>{first} bis {last}: {name} ist am schnellsten</translation>
    </message>
    <message>
        <source>{free} of {size} free ({share})</source>
        <translation>{free} von {size} frei ({share})</translation>
    </message>
    <message>
        <source>{gain} ({low} to {high}): {rate} with {connections}, {each}, in place of {before} and {each_before}.</source>
        <translation>{gain} ({low} bis {high}): {rate} mit {connections}, {each}, statt {before} und {each_before}.</translation>
    </message>
    <message>
        <source>{here} of {count}</source>
        <translation>{here} von {count}</translation>
    </message>
    <message>
        <source>{host} is not known yet</source>
        <translation>{host} ist noch nicht bekannt</translation>
    </message>
    <message numerus="yes">
        <source>{judged} of 1 question decided, {fine} fine as they are.</source>
        <comment>{judged} of {n} questions decided, {fine} fine as they are.</comment>
        <translation>
            <numerusform>{judged} von 1 Frage entschieden, {fine} in Ordnung.</numerusform>
            <numerusform>{judged} von {n} Fragen entschieden, {fine} in Ordnung.</numerusform>
        </translation>
    </message>
    <message>
        <source>{kind}, {times} times</source>
        <translation>{kind}, {times}-mal</translation>
    </message>
    <message>
        <source>{latencies}: how often each occurred</source>
        <translation>{latencies}: wie oft jede vorkam</translation>
    </message>
    <message>
        <source>{latency} of {curve}</source>
        <translation>{latency}, {curve}</translation>
    </message>
    <message>
        <source>{latency}: p95 over {base}</source>
        <translation>{latency}: p95 im Verhältnis zu {base}</translation>
    </message>
    <message>
        <source>{latency}: p95, and p99 as the thin line above it</source>
        <translation>{latency}: p95, und p99 als dünne Linie darüber</translation>
    </message>
    <message numerus="yes">
        <source>{lies} over 1 disk ({names})</source>
        <comment>{lies} over {n} disks ({names})</comment>
        <translation>
            <numerusform>{lies}, auf 1 Disk ({names})</numerusform>
            <numerusform>{lies}, verteilt auf {n} Disks ({names})</numerusform>
        </translation>
    </message>
    <message>
        <source>{lies}, {size} free</source>
        <translation>{lies}, {size} frei</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>{measured} of at most {planned}</source>
        <translation>{measured} von höchstens {planned}</translation>
    </message>
    <message>
        <source>{measured}; doubtful: {reasons}</source>
        <translation>{measured}; zweifelhaft: {reasons}</translation>
    </message>
    <message>
        <source>{month} {year}</source>
        <translation>{month} {year}</translation>
    </message>
    <message>
        <source>{name} (run {number})</source>
        <translation>{name} (Lauf {number})</translation>
    </message>
    <message>
        <source>{name} and its runs deleted.</source>
        <translation>{name} und alle Läufe gelöscht.</translation>
    </message>
    <message>
        <source>{name} is none of the known kinds of file.</source>
        <translation>{name} ist keine bekannte Dateiart.</translation>
    </message>
    <message>
        <source>{name} is the fastest</source>
        <translation>{name} ist am schnellsten</translation>
    </message>
    <message numerus="yes">
        <source>{name}: 1 point imported.</source>
        <comment>{name}: {n} points imported.</comment>
        <translation>
            <numerusform>{name}: 1 Punkt importiert.</numerusform>
            <numerusform>{name}: {n} Punkte importiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>{name}: 95 of 100 within {late} ({low} to {high}), {mean} on average</source>
        <translation>{name}: 95 von 100 binnen {late} ({low} bis {high}), im Mittel {mean}</translation>
    </message>
    <message>
        <source>{name}: {mean} on average</source>
        <translation>{name}: im Mittel {mean}</translation>
    </message>
    <message>
        <source>{name}: {rate} ({low} to {high})</source>
        <translation>{name}: {rate} ({low} bis {high})</translation>
    </message>
    <message>
        <source>{number} at a time on average</source>
        <translation>im Mittel {number} gleichzeitig</translation>
    </message>
    <message>
        <source>{number} at a time on average, {behind} in the background</source>
        <translation>im Mittel {number} gleichzeitig, {behind} im Hintergrund</translation>
    </message>
    <message>
        <source>{number} of at most {most} picked. The first one is the baseline.</source>
        <translation>{number} von höchstens {most} gewählt. Der erste ist die Basis.</translation>
    </message>
    <message>
        <source>{path} can&apos;t be written: {reason}.</source>
        <translation>{path} lässt sich nicht schreiben: {reason}.</translation>
    </message>
    <message>
        <source>{path} lies on {filesystem}</source>
        <translation>{path} liegt auf {filesystem}</translation>
    </message>
    <message>
        <source>{plan} check</source>
        <translation>Check, {plan}</translation>
    </message>
    <message>
        <source>{plan} plan</source>
        <translation>Plan {plan}</translation>
    </message>
    <message>
        <source>{plan} probe</source>
        <translation>Messung, {plan}</translation>
    </message>
    <message>
        <source>{processors} and {memory}</source>
        <translation>{processors} und {memory}</translation>
    </message>
    <message>
        <source>{program} is loading its pages</source>
        <translation>{program} lädt seine Seiten</translation>
    </message>
    <message>
        <source>{program} of the account {account}, process {pid}: {where}</source>
        <translation>{program} des Kontos {account}, Prozess {pid}: {where}</translation>
    </message>
    <message>
        <source>{rate} after {size}</source>
        <translation>{rate} nach {size}</translation>
    </message>
    <message>
        <source>{rate} of {each}</source>
        <translation>{rate} zu je {each}</translation>
    </message>
    <message>
        <source>{rate} of {size} at {threads}</source>
        <translation>{rate} zu {size} bei {threads}</translation>
    </message>
    <message>
        <source>{rate} over {base}, with 95 % interval</source>
        <translation>{rate} im Verhältnis zu {base}, mit 95-%-Intervall</translation>
    </message>
    <message>
        <source>{rate} with {connections}, {each}. Move a slider to see what it would bring.</source>
        <translation>{rate} mit {connections}, {each}. Einen Regler verstellen, um zu sehen, was es bringt.</translation>
    </message>
    <message>
        <source>{rate}, 95 % interval</source>
        <translation>{rate}, 95-%-Intervall</translation>
    </message>
    <message>
        <source>{reach} (doubtful)</source>
        <translation>{reach} (zweifelhaft)</translation>
    </message>
    <message>
        <source>{reach}, p95 {p95} there.</source>
        <translation>{reach}, dort p95 {p95}.</translation>
    </message>
    <message>
        <source>{reach}: the CPUs limited, not the drive.</source>
        <translation>{reach}: Grenze waren die CPUs, nicht das Laufwerk.</translation>
    </message>
    <message>
        <source>{reach}: the prober limited, not the drive.</source>
        <translation>{reach}: Grenze war der Prober, nicht das Laufwerk.</translation>
    </message>
    <message>
        <source>{reach}; {threads} already give {share} of it, at a p95 of {p95}.</source>
        <translation>{reach}; {share} davon gibt es schon mit {threads}, bei p95 {p95}.</translation>
    </message>
    <message>
        <source>{said} beside the server&apos;s own load</source>
        <translation>{said} neben Serverlast</translation>
    </message>
    <message>
        <source>{said}, beyond what was measured</source>
        <translation>{said}, jenseits des Gemessenen</translation>
    </message>
    <message>
        <source>{said}, {what} limits</source>
        <translation>{said}, Grenze: {what}</translation>
    </message>
    <message>
        <source>{server} on {machine}</source>
        <translation>{server} auf {machine}</translation>
    </message>
    <message>
        <source>{setting}: warming up.</source>
        <translation>{setting}: Warmlauf.</translation>
    </message>
    <message>
        <source>{setting}: {rate} so far.</source>
        <translation>{setting}: bisher {rate}.</translation>
    </message>
    <message>
        <source>{share} interval</source>
        <translation>{share}-Intervall</translation>
    </message>
    <message>
        <source>{share} of the points are uncertain: {reason} Advice is judged over all that the figures may truly be, and says how far it holds.</source>
        <translation>{share} der Punkte sind unsicher: {reason} Empfehlungen werden über die ganze Spanne dessen beurteilt, was die Werte wirklich sein können, und sagen, wie weit sie gelten.</translation>
    </message>
    <message>
        <source>{shown} of {number} rules</source>
        <translation>{shown} von {number} Regeln</translation>
    </message>
    <message>
        <source>{size} available</source>
        <translation>{size} verfügbar</translation>
    </message>
    <message>
        <source>{size} of memory</source>
        <translation>{size} Arbeitsspeicher</translation>
    </message>
    <message>
        <source>{size}: {misses}, {share} of today&apos;s</source>
        <translation>{size}: {misses}, {share} der heutigen</translation>
    </message>
    <message>
        <source>{target} is being measured, {left} left.</source>
        <translation>{target} wird gemessen, noch {left}.</translation>
    </message>
    <message>
        <source>{target} is being measured.</source>
        <translation>{target} wird gemessen.</translation>
    </message>
    <message>
        <source>{target}, imported {when}: {points}.</source>
        <translation>{target}, importiert {when}: {points}.</translation>
    </message>
    <message>
        <source>{text} is no address over SSH.</source>
        <translation>{text} ist keine Adresse über SSH.</translation>
    </message>
    <message>
        <source>{text} is no {what} port.</source>
        <translation>{text} ist kein {what}-Port.</translation>
    </message>
    <message>
        <source>{times} ({low} to {high})</source>
        <translation>{times} ({low} bis {high})</translation>
    </message>
    <message>
        <source>{times}, interval unknown</source>
        <translation>{times}, Intervall unbekannt</translation>
    </message>
    <message>
        <source>{time} each</source>
        <translation>je {time}</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>{time} more</source>
        <translation>{time} mehr</translation>
    </message>
    <message>
        <source>{unit}, the point&apos;s rate with its 95 % interval</source>
        <translation>{unit}, Rate des Punkts mit 95-%-Intervall</translation>
    </message>
    <message>
        <source>{what} reach at least {rate} at {threads}</source>
        <translation>{what} erreichen mindestens {rate} mit {threads}</translation>
    </message>
    <message>
        <source>{what} reach {rate} at {threads}</source>
        <translation>{what} erreichen {rate} mit {threads}</translation>
    </message>
    <message>
        <source>{when} A later run saw no query at work.</source>
        <translation>{when} Ein späterer Lauf sah keine Abfrage arbeiten.</translation>
    </message>
    <message>
        <source>◇ Server: {reads} reads in flight, {rate} of {time}</source>
        <translation>◇ Server: {reads} Reads zugleich, {rate} zu je {time}</translation>
    </message>
</context>
</TS>
