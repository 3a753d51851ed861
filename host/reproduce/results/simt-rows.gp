BARS = "'simt-rows.dat' using 2:xtic(1) title columnheader(2), 'simt-rows.dat' using 3 title columnheader(3)"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set rmargin 12
set xtics rotate by -45 noenhanced
set key above noenhanced
set grid ytics
set xzeroaxis
set title "The paper's numbers beside ours" noenhanced
set ylabel "%"
set datafile separator tab
set datafile missing '?'
set terminal svg size 946,480
set output 'simt-rows.svg'
plot @BARS
set terminal png size 946,480
set output 'simt-rows.png'
plot @BARS
