set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'The paper''s numbers beside ours' noenhanced
set ylabel 'effect or level [%]' noenhanced
set xrange [0:1890.87]
set yrange [-153.11:162.368]
set xtics rotate by -45 noenhanced scale 0 ('fig3-pwcache' 25.8696, 'fig3-sharedtlb' 66.7391, 'fig11-mask' 107.609, 'fig15-unfairness' 148.478, 'sec7.1-ipc' 189.348, 'fig11-ideal' 230.217, 'fig11-cache' 271.087, 'fig11-dram' 311.957, 'sec7.2-tlb-hits' 352.826, 'sec7.2-bypass-hits' 393.696, 'sec7.1-misses' 434.565, 'sec5.3-depth-1' 475.435, 'sec5.3-depth-2' 516.304, 'sec5.3-depth-3' 557.174, 'sec5.3-depth-4' 598.043, 'fig8-used' 638.913, 'fig8-peak' 679.783, 'sec7.2-dram-latency' 720.652, 'sec7.2-srad' 761.522, 'sec7.2-scan' 802.391, 'sec7.2-cons' 843.261, 'sec7.2-dram-bandwidth' 884.13, 'sec7.3-scheduler' 925, 'table3-sharedtlb-1' 965.87, 'table3-sharedtlb-2' 1006.74, 'table3-sharedtlb-3' 1047.61, 'table3-sharedtlb-4' 1088.48, 'table3-sharedtlb-5' 1129.35, 'table3-mask-1' 1170.22, 'table3-mask-2' 1211.09, 'table3-mask-3' 1251.96, 'table3-mask-4' 1292.83, 'table3-mask-5' 1333.7, 'table4-fermi-pwcache' 1374.57, 'table4-fermi-sharedtlb' 1415.43, 'table4-fermi-mask' 1456.3, 'table4-integrated-pwcache' 1497.17, 'table4-integrated-sharedtlb' 1538.04, 'table4-integrated-mask' 1578.91, 'sec7.3-fermi-pwcache' 1619.78, 'sec7.3-fermi-sharedtlb' 1660.65, 'sec7.3-integrated-pwcache' 1701.52, 'sec7.3-integrated-sharedtlb' 1742.39, 'sec7.3-2mb-sharedtlb' 1783.26, 'sec7.3-2mb-mask' 1824.13, 'sec7.4-queues' 1865)
set label '-45.0 %' at 18.3696,-45 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-1.4 %' at 33.3696,-1.44508 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-40.6 %' at 59.2391,-40.6 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-2.9 %' at 74.2391,-2.93082 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+57.8 %' at 100.109,57.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-3.4 %' at 115.109,-3.42791 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-22.4 %' at 140.978,-22.4 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+3.5 %' at 155.978,3.46984 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+43.4 %' at 181.848,43.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-3.5 %' at 196.848,-3.52946 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-23.2 %' at 222.717,-23.2 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-6.3 %' at 237.717,-6.25827 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+43.6 %' at 263.587,43.6 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.0 %' at 278.587,-0.00282291 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+22.7 %' at 304.457,22.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-3.7 %' at 319.457,-3.70841 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+49.9 %' at 345.326,49.9 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-4.1 %' at 360.326,-4.11375 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '66.5 %' at 386.196,66.5 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '6.7 %' at 401.196,6.65214 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-50 %' at 427.065,-50 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+0.4 %' at 442.065,0.44486 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '99.8 %' at 467.935,99.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '99.8 %' at 482.935,99.8491 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '98.8 %' at 508.804,98.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '99.8 %' at 523.804,99.8349 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '68.7 %' at 549.674,68.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '99.7 %' at 564.674,99.6964 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '1.0 %' at 590.543,1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '78.6 %' at 605.543,78.6329 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '13.8 %' at 631.413,13.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.3 %' at 646.413,0.256311 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '2.4 %' at 672.283,2.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '0.1 %' at 687.283,0.121198 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-10.6 %' at 713.152,-10.6 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-92.9 %' at 728.152,-92.8827 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+18.7 %' at 754.022,18.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+4.1 %' at 769.022,4.13389 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+8.9 %' at 794.891,8.9 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-32.4 %' at 809.891,-32.434 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+30.2 %' at 835.761,30.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+2.3 %' at 850.761,2.31183 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+5.6 %' at 876.63,5.6 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-1.8 %' at 891.63,-1.80538 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+44.2 %' at 917.5,44.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-1.9 %' at 932.5,-1.92116 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '47.1 %' at 958.37,47.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '97.3 %' at 973.37,97.3398 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '48.7 %' at 999.239,48.7 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '97.1 %' at 1014.24,97.0692 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '38.8 %' at 1040.11,38.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '102.1 %' at 1055.11,102.141 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '34.2 %' at 1080.98,34.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '98.3 %' at 1095.98,98.2869 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '33.1 %' at 1121.85,33.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '100.4 %' at 1136.85,100.357 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '68.5 %' at 1162.72,68.5 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '97.5 %' at 1177.72,97.5289 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '76.8 %' at 1203.59,76.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '93.7 %' at 1218.59,93.7417 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '62.3 %' at 1244.46,62.3 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '95.9 %' at 1259.46,95.9376 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '55.0 %' at 1285.33,55 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '92.9 %' at 1300.33,92.9495 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '52.9 %' at 1326.2,52.9 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '93.7 %' at 1341.2,93.6635 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '53.1 %' at 1367.07,53.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '96.8 %' at 1382.07,96.8141 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '60.4 %' at 1407.93,60.4 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '86.2 %' at 1422.93,86.2175 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '78.0 %' at 1448.8,78 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '86.0 %' at 1463.8,85.9954 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '52.1 %' at 1489.67,52.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '95.3 %' at 1504.67,95.2557 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '38.2 %' at 1530.54,38.2 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '89.4 %' at 1545.54,89.3878 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '64.5 %' at 1571.41,64.5 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '90.3 %' at 1586.41,90.3237 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+46.9 %' at 1612.28,46.9 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-11.2 %' at 1627.28,-11.1747 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+29.1 %' at 1653.15,29.1 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-0.3 %' at 1668.15,-0.257554 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+23.8 %' at 1694.02,23.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-5.2 %' at 1709.02,-5.17768 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '+68.8 %' at 1734.89,68.8 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '+1.0 %' at 1749.89,1.047 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '-44.5 %' at 1775.76,-44.5 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-0.1 %' at 1790.76,-0.147337 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-1.8 %' at 1816.63,-1.8 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '-4.2 %' at 1831.63,-4.15494 noenhanced font ',9' right rotate by 90 offset 0.25,-0.4
set label '6 %' at 1857.5,6 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set label '6.2 %' at 1872.5,6.25 noenhanced font ',9' left rotate by 90 offset 0.25,0.4
set lmargin at screen 0.0540683
set rmargin at screen 0.96689
set terminal svg size 2071,619
set output 'mask-rows.svg'
plot 'mask-rows.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-rows.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'ours'
set terminal png size 2071,619
set output 'mask-rows.png'
plot 'mask-rows.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#C8C8C8' title 'paper', 'mask-rows.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'ours'
